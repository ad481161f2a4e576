"""Boards of another, independent making: heaps settled and light traced by Blender and its Cycles.

Nothing was ever tuned on them, and the program that makes them uses nothing of the product.

    python -m tests.bench.cyclesmaking FOLDER --boards 40 --seed 1

writes 1280×720 pictures and `boards.json`, a list of photographs, with the pits in the order of their numbers. Beside
each count, `visible` is the share of the least visible seed's surface that the camera sees, half of it at best; null
for an empty pit. A board that was drawn already is kept. 40 boards show each of eight kinds of seeds in each of five
lights; a board takes about a minute on two cores. Blender's Python module needs a numpy below 2 and Python 3.11, so it
has an environment of its own:

    python3.11 -m venv ~/bpy && ~/bpy/bin/pip install bpy==4.2.0 "numpy<2" opencv-python-headless
    ~/bpy/bin/python -m tests.bench.cyclesmaking data/cycles
    make bench ARGS=cycles
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from tests.bench.cyclesplans import BOARDS, F64, SIZE, TABLES, Plan, Skin

UNIT = 10.0
"""Blender's units per column pitch: its physics are inaccurate for small things."""
FRAMES = 80
"""Simulated pictures, of ten steps each, until all seeds rest."""
EDGE = 0.95
"""Share of the rim's radius within which the middle of a pit's seed lies."""
STEP, COARSE = 0.016, 0.05
"""Meshes of the board's surface that is seen and of the one that seeds fall on, in column pitches."""
PATTERNS: dict[str, tuple[str, dict[str, float]]] = {
    "grain": ("ShaderNodeTexWave", {"Scale": 0.25, "Distortion": 9.0, "Detail": 2.0, "Detail Scale": 0.6}),
    "cloudy": ("ShaderNodeTexNoise", {"Scale": 0.6, "Detail": 3.0, "Roughness": 0.65}),
    "speckled": ("ShaderNodeTexNoise", {"Scale": 4.0, "Detail": 1.0, "Roughness": 0.5}),
    "woven": ("ShaderNodeTexMagic", {"Scale": 3.0, "Distortion": 1.5}),
}
"""Blender's nodes for patterns, with their settings."""


def node(tree: Any, kind: str, **inputs: Any) -> Any:
    """Return a new node of a material. inputs: values or other nodes' outputs, named with _ for a space."""
    made = tree.nodes.new(kind)
    for name, value in inputs.items():
        socket = made.inputs[name.replace("_", " ")]
        if hasattr(value, "is_output"):
            tree.links.new(value, socket)
        else:
            socket.default_value = value
    return made


def material(bpy: Any, skin: Skin, rng: np.random.Generator) -> Any:
    """Return a surface as Blender's material, with a pattern turned and shifted at random and a brightness that
    differs from thing to thing."""
    made = bpy.data.materials.new(skin.pattern)
    made.use_nodes = True
    tree = made.node_tree
    shader = next(n for n in tree.nodes if n.type == "BSDF_PRINCIPLED")
    own = node(tree, "ShaderNodeObjectInfo").outputs["Random"]
    place = node(tree, "ShaderNodeMapping", Vector=node(tree, "ShaderNodeTexCoord").outputs["Object"],
                 Location=rng.uniform(-50, 50, 3).tolist(), Rotation=(0, 0, float(rng.normal(math.pi / 4, 0.2))))
    kind, settings = PATTERNS[skin.pattern]
    pattern = node(tree, kind, Vector=place.outputs[0], **{k.replace(" ", "_"): v for k, v in settings.items()})
    fac = pattern.outputs["Fac"]
    colour = node(tree, "ShaderNodeMixRGB", Fac=fac, Color1=(*skin.a, 1), Color2=(*skin.b, 1)).outputs[0]
    mark = node(tree, "ShaderNodeAttribute")
    mark.attribute_name = "mark"
    colour = node(tree, "ShaderNodeMixRGB", Fac=mark.outputs["Fac"], Color1=colour, Color2=(*skin.mark, 1)).outputs[0]
    value = node(tree, "ShaderNodeMapRange", Value=own, To_Min=0.82, To_Max=1.15).outputs[0]
    colour = node(tree, "ShaderNodeHueSaturation", Value=value, Color=colour).outputs[0]
    tree.links.new(colour, shader.inputs["Base Color"])
    if skin.rough > 0.6:
        bump = node(tree, "ShaderNodeBump", Height=fac, Strength=0.2, Distance=0.3)
        tree.links.new(bump.outputs[0], shader.inputs["Normal"])
    shader.inputs["Roughness"].default_value = skin.rough
    shader.inputs["Transmission Weight"].default_value = skin.glass
    return made


def solid(bpy: Any, name: str, points: F64, faces: NDArray[np.int64], mark: F64, skin: Any) -> Any:
    """Return a smooth mesh as a thing of the scene."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(points.tolist(), [], faces.tolist())
    mesh.shade_smooth()
    mesh.attributes.new("mark", "FLOAT", "POINT").data.foreach_set("value", mark.astype(np.float32))
    mesh.materials.append(skin)
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def scaled(plan: Plan, step: float) -> tuple[F64, NDArray[np.int64], F64]:
    """Return the board's surface in Blender's units: points, faces, and 1 for the pits' bottoms."""
    points, faces, deep = plan.surface(step)
    return points * UNIT, faces, np.clip(3 * deep, 0, 1)


def globe(n: int = 16, m: int = 9) -> tuple[F64, NDArray[np.int64]]:
    """Return a unit sphere of squares, its poles holes too small to see: float64[n * m, 3], int64[…, 4]."""
    a, b = np.meshgrid(np.arange(n) * 2 * math.pi / n, np.linspace(0.02, math.pi - 0.02, m))
    points = np.stack([np.sin(b) * np.cos(a), np.sin(b) * np.sin(a), np.cos(b)], axis=2).reshape(-1, 3)
    row, col = (k.ravel() for k in np.mgrid[: m - 1, :n])
    after = (col + 1) % n
    return points, np.stack([row * n + col, (row + 1) * n + col, (row + 1) * n + after, row * n + after], axis=1)


def dropped(bpy: Any, plan: Plan, rng: np.random.Generator) -> list[Any]:
    """Return the seeds above their pits, one over the other."""
    ball, faces = globe()
    skins = [plan.kind.skins[i] for i in rng.permutation(len(plan.kind.skins))]
    skins = [material(bpy, skin, rng) for skin in skins[: int(rng.choice((1, 1, 1, 2, 5)))]]
    seeds, tall = [], max(plan.kind.axes) * plan.radius
    for pit, falls in enumerate(plan.falls):
        for k in range(falls):
            points, mark = plan.kind.shape(ball, rng)
            axes = np.array(plan.kind.axes) * plan.radius * np.exp(rng.normal(0, 0.05, 3)) * UNIT
            points = points - points.mean(axis=0)
            seed = solid(bpy, "seed", points * axes, faces, mark, skins[rng.integers(len(skins))])
            seed.modifiers.new("smooth", "SUBSURF").render_levels = 2
            x, y = plan.centres[pit] + rng.uniform(-0.4, 0.4, 2) * plan.rims[pit].min()
            seed.location = UNIT * np.array([x, y, 0.1 + 2.2 * tall * (k + 0.6)])
            seed.rotation_euler = rng.uniform(0, 2 * math.pi, 3)
            seeds.append(seed)
    return seeds


def settled(bpy: Any, plan: Plan, seeds: list[Any]) -> list[int]:
    """Let the seeds fall until they rest. Return the pit of each; one that lies in none is removed from the list."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = bpy.data.collections.new("falling")
    world.substeps_per_frame, world.solver_iterations, world.point_cache.frame_end = 10, 10, FRAMES
    scene.gravity = (0, 0, -9.8 * UNIT)
    ground = solid(bpy, "ground", *scaled(plan, COARSE), None)
    for thing in [ground, *seeds]:
        world.collection.objects.link(thing)
        body = thing.rigid_body
        body.mesh_source, body.use_margin, body.collision_margin = "BASE", True, 0.01
        body.friction, body.restitution, body.linear_damping, body.angular_damping = 0.5, 0.05, 0.1, 0.4
        body.type, body.collision_shape = ("PASSIVE", "MESH") if thing is ground else ("ACTIVE", "CONVEX_HULL")
    for frame in range(1, FRAMES + 1):
        scene.frame_set(frame)
    poses = [seed.matrix_world.copy() for seed in seeds]
    bpy.ops.rigidbody.world_remove()
    bpy.data.objects.remove(ground)
    at = np.array([pose.translation for pose in poses]).reshape(-1, 3) / UNIT
    pits, away = plan.place(at[:, :2])
    inside = (away < EDGE) & (at[:, 2] > -plan.depth - 0.02)
    for seed, pose in zip(seeds, poses, strict=True):
        seed.matrix_world = pose
    for k in np.flatnonzero(~inside)[::-1]:
        bpy.data.objects.remove(seeds.pop(k))
    return [int(pit) for pit in pits[inside]]


def lit(bpy: Any, plan: Plan, rng: np.random.Generator) -> None:
    """Add sky and lamps. Exposure is chosen afterwards, so only their ratio matters."""
    world = bpy.data.worlds.new("sky")
    bpy.context.scene.world, world.use_nodes = world, True
    tree = world.node_tree
    back = tree.nodes["Background"]
    back.inputs[0].default_value = (*np.exp(rng.normal(0, 0.06, 3)), 1)
    ways = {"lamps": (rng.uniform(0, 6.28), rng.uniform(0.7, 1.4)),
            "low lamp": (rng.uniform(0, 6.28), rng.uniform(0.2, 0.4)),
            "back light": (math.atan2(-plan.eye[1], -plan.eye[0]) + rng.normal(0, 0.3), rng.uniform(0.4, 0.8))}
    if plan.light == "sun":
        sky = node(tree, "ShaderNodeTexSky")
        sky.sky_type, sky.sun_elevation = "NISHITA", float(rng.uniform(0.6, 1.35))
        sky.sun_rotation, sky.dust_density = float(rng.uniform(0, 6.28)), float(rng.uniform(0.5, 4))
        tree.links.new(sky.outputs[0], back.inputs[0])
    if plan.light in ways:
        back.inputs[1].default_value = float(rng.uniform(0.15, 0.5))
        for k in range(int(rng.integers(1, 3)) if plan.light == "lamps" else 1):
            way, up = ways[plan.light][0] + 2 * k, ways[plan.light][1]
            lamp = bpy.data.lights.new("lamp", "AREA")
            lamp.size, lamp.energy = UNIT * float(rng.uniform(0.5, 6)), 1e6 * float(rng.uniform(0.6, 1.4)) / (1 + k)
            lamp.color = (1, float(rng.uniform(0.85, 1)), float(rng.uniform(0.65, 1)))
            thing = bpy.data.objects.new("lamp", lamp)
            at = np.array([math.cos(way) * math.cos(up), math.sin(way) * math.cos(up), math.sin(up)])
            thing.matrix_world = posed(at * 20 * UNIT, at)
            bpy.context.scene.collection.objects.link(thing)


def posed(at: F64, back: F64) -> Any:
    """Return the pose of a thing at a place that looks away from a direction."""
    from mathutils import Matrix, Vector

    turn = Vector(back.tolist()).to_track_quat("Z", "Y").to_matrix().to_4x4()
    return Matrix.Translation(at.tolist()) @ turn


def shown(bpy: Any, plan: Plan, pits: list[int], seeds: list[Any]) -> list[float | None]:
    """Return, for each pit, the share of its least visible seed's points that the camera sees."""
    scene, eye = bpy.context.scene, UNIT * plan.eye
    bpy.context.view_layer.update()
    tree = bpy.context.evaluated_depsgraph_get()
    near = 0.2 * UNIT * plan.radius
    least: list[float | None] = [None] * len(plan.centres)
    for pit, seed in zip(pits, seeds, strict=True):
        points = np.array([seed.matrix_world @ v.co for v in seed.data.vertices])
        hits = np.array([scene.ray_cast(tree, eye.tolist(), (p - eye).tolist())[1] for p in points])
        share = round(float((np.linalg.norm(hits - points, axis=1) < near).mean()), 3)
        known = least[pit]
        least[pit] = share if known is None else min(share, known)
    return least


def filmed(bpy: Any, plan: Plan, samples: int, threads: int, path: Path, rng: np.random.Generator) -> None:
    """Render the scene into a picture, exposed for a small one that is rendered first."""
    from mathutils import Matrix

    scene, lens = bpy.context.scene, bpy.data.cameras.new("lens")
    lens.sensor_width, lens.lens, lens.clip_end = 36, 18 / plan.wide, 1e4
    scene.camera = bpy.data.objects.new("camera", lens)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = plan.axes(), UNIT * plan.eye
    scene.camera.matrix_world = Matrix(pose.tolist())
    scene.collection.objects.link(scene.camera)
    scene.render.engine, scene.render.threads_mode, scene.render.threads = "CYCLES", "FIXED", threads
    cycles, image = scene.cycles, scene.render.image_settings
    cycles.use_denoising, cycles.denoiser, cycles.denoising_prefilter = True, "OPENIMAGEDENOISE", "FAST"
    cycles.sample_clamp_indirect = 6
    cycles.max_bounces, cycles.diffuse_bounces, cycles.glossy_bounces = 7, 2, 2
    cycles.use_adaptive_sampling, cycles.adaptive_threshold = True, 0.1
    scene.render.resolution_x, scene.render.resolution_y = SIZE
    scene.view_settings.view_transform = str(rng.choice(("Standard", "AgX", "Filmic")))
    for percent, count, form, bits in ((15, 8, "OPEN_EXR", "32"), (100, samples, "PNG", "8")):
        scene.render.resolution_percentage, cycles.samples = percent, count
        image.file_format, image.color_depth, image.color_mode = form, bits, "RGB"
        scene.render.filepath = str(path.with_suffix("." + form[-3:].lower()))
        bpy.ops.render.render(write_still=True)
        if form == "OPEN_EXR":
            trial = Path(scene.render.filepath)
            light = np.array(bpy.data.images.load(str(trial)).pixels).reshape(-1, 4)[:, :3].mean(axis=1)
            gain = min(rng.uniform(0.16, 0.3) / np.median(light), 0.8 / np.percentile(light, 92))
            scene.view_settings.exposure = float(np.log2(gain))
            trial.unlink()


def drawn(plan: Plan, number: int, seed: int, folder: Path, samples: int, threads: int) -> dict[str, Any]:
    """Draw a board into a picture. Return its row of the list."""
    import bpy

    rng = np.random.default_rng((seed, number, 1))
    bpy.ops.wm.read_factory_settings(use_empty=True)
    skin, ground = (material(bpy, made[rng.integers(len(made))], rng) for made in (BOARDS, TABLES))
    seeds = dropped(bpy, plan, rng)
    pits = settled(bpy, plan, seeds)
    solid(bpy, "board", *scaled(plan, STEP), skin)
    visible = shown(bpy, plan, pits, seeds)
    low = -UNIT * (plan.depth + 0.09)
    table = np.array([(x, y, low) for x, y in ((-300, -300), (300, -300), (300, 300), (-300, 300))], float)
    solid(bpy, "table", table, np.arange(4)[None], np.zeros(4), ground)
    lit(bpy, plan, rng)
    path = folder / f"board{number:03}.png"
    samples *= 2 if plan.kind.skins[0].glass else 1
    bpy.context.scene.cycles.seed = number
    filmed(bpy, plan, samples, threads, path, rng)
    seen = np.asarray(cv2.imread(str(path)), np.float32)
    picture = np.asarray(cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.3, 0.9))), np.float64)
    picture += rng.normal(0, float(rng.uniform(0.5, 3)), picture.shape)
    cv2.imwrite(str(path), (picture + 0.5).clip(0, 255).astype(np.uint8))
    return {"file": path.name, "seed": seed, "board": f"{plan.rows}x{plan.cols}", "seeds": plan.kind.name,
            "light": plan.light, "pits": plan.pits([pits.count(k) for k in range(len(plan.centres))], visible)}


def main() -> None:
    """Draw the boards that the folder lacks."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path, help="where the pictures go")
    asked.add_argument("--boards", type=int, default=40, help="how many the folder is to hold; 40 by default")
    asked.add_argument("--seed", type=int, default=1, help="of the boards; 1 by default")
    asked.add_argument("--samples", type=int, default=8, help="light paths a pixel, twice as many for glass")
    asked.add_argument("--threads", type=int, default=2, help="2 by default")
    given = asked.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    kept = given.folder / "boards.json"
    rows = json.loads(kept.read_text("utf-8")) if kept.exists() else []
    if any(row["seed"] != given.seed for row in rows):
        sys.exit(f"{given.folder} holds boards of another seed than {given.seed}")
    for number in range(given.boards):
        if any(row["file"] == f"board{number:03}.png" for row in rows):
            continue
        plan = Plan.draw(given.seed, number)
        rows.append(drawn(plan, number, given.seed, given.folder, given.samples, given.threads))
        kept.write_text(json.dumps(rows, indent=1), "utf-8")
        print(rows[-1]["file"], rows[-1]["board"], plan.kind.name, plan.light, flush=True)


if __name__ == "__main__":
    main()
