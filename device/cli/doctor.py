"""`inkeek doctor`."""

from pathlib import Path

import click

from device.cli.files import check_output, unwritable
from device.cli.options import DATA
from device.system.folder import DataFolder


@click.command()
@DATA
@click.option("--bundle", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.tar.gz",
              help="Write a support bundle for whoever helps you.")
@click.option("--pictures", is_flag=True, help="Put pictures into the bundle; they may show faces.")
@click.option("--names", is_flag=True, help="Put names and typed text into the bundle.")
@click.option("--no-look", is_flag=True, help="Do not try the camera.")
@click.option("--speed", is_flag=True, help="Only measure how fast this machine is.")
@click.option("--json", "as_json", is_flag=True, help="With --speed: as JSON.")
def doctor(folder: DataFolder, bundle: Path | None, pictures: bool, names: bool, no_look: bool, speed: bool,
           as_json: bool) -> None:
    """Say what is wrong on this machine, and what to do.

    For help from somebody far away: `inkeek doctor --bundle help.tar.gz`.
    """
    if as_json and not speed:
        raise click.UsageError("--json goes with --speed")
    for word, given in (("--pictures", pictures), ("--names", names)):
        if given and bundle is None:
            raise click.UsageError(f"{word} goes with --bundle")
    if speed and bundle is not None:
        raise click.UsageError("--speed measures and does nothing else: leave out --bundle")
    if bundle is not None:
        check_output(bundle, "a bundle", endings=(".tar.gz", ".tgz"))
    if speed:
        _tell_speed(folder, as_json)
    else:
        _tell_findings(folder, bundle, pictures=pictures, names=names, look=not no_look)


def _tell_speed(folder: DataFolder, as_json: bool) -> None:
    """Print the measured speed of this machine."""
    import msgspec

    from device.system.speed import measured

    click.echo("measuring; this may take a minute …", err=True)
    found = measured(folder)
    click.echo(msgspec.json.encode(found).decode() if as_json else found.table())


def _tell_findings(folder: DataFolder, bundle: Path | None, *, pictures: bool, names: bool, look: bool) -> None:
    """Print the findings, and write the bundle if one is asked for. Raises ClickException if there is a fault."""
    from device.system.doctor import examine, lines
    from device.system.health import Check

    findings: list[Check] = []
    for finding in examine(folder, look=look):
        findings.append(finding)
        click.echo(lines([finding]), nl=False)
    if bundle is not None:
        from device.system.support_bundle import write_bundle

        try:
            parts = write_bundle(bundle, folder, lines(findings), pictures=pictures, names=names)
        except OSError as error:
            raise unwritable(bundle, error) from error
        without = " and ".join(what for what, asked in (("pictures", pictures), ("names", names)) if not asked)
        click.echo(f"\n{bundle}: {', '.join(parts)}" + (f"; without {without}" if without else ""))
    ill = sum(not finding.well for finding in findings)
    if ill:
        raise click.ClickException(f"{ill} thing{'s' * (ill != 1)} to fix, marked !!")
