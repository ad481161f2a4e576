"""`inkeek doctor`."""

from __future__ import annotations

from pathlib import Path

import click

from device.system.folder import DataFolder


@click.command()
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="The data folder, if not the usual one.")
@click.option("--bundle", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE.tar.gz",
              help="Write what somebody needs who is to help.")
@click.option("--pictures", is_flag=True, help="Put pictures into the bundle: there may be faces in them.")
@click.option("--names", is_flag=True, help="Put names, and what people typed, into the bundle.")
@click.option("--no-look", is_flag=True, help="Do not look through the camera.")
def doctor(data: Path | None, bundle: Path | None, pictures: bool, names: bool, no_look: bool) -> None:
    """Say what is wrong here."""
    from device.system.doctor import examine, lines
    from device.system.health import Finding

    folder = DataFolder(data) if data is not None else DataFolder.at_hand()
    findings: list[Finding] = []
    for finding in examine(folder, look=not no_look):
        findings.append(finding)
        click.echo(lines([finding]), nl=False)
    if bundle is not None:
        from device.system.support_bundle import write_bundle

        try:
            parts = write_bundle(bundle, folder, lines(findings), pictures=pictures, names=names)
        except OSError as error:
            raise click.ClickException(f"{bundle} cannot be written: {error.strerror or error}") from error
        without = " and ".join(what for what, asked in (("pictures", pictures), ("names", names)) if not asked)
        click.echo(f"\n{bundle}: {', '.join(parts)}" + (f"; without {without}" if without else ""))
    ill = sum(not finding.well for finding in findings)
    if ill:
        raise click.ClickException(f"{ill} thing{'s' * (ill != 1)} to mend, marked !!")
