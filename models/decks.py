"""The drawn decks: where each comes from, under which licence, and which are kept for measuring."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DrawnDeck:
    """A drawn deck: where it comes from, whether training may see it, and how its pictures are found."""

    name: str
    package: str
    licence: str
    unseen: bool
    kind: str  # files, sheet, kde
    path: str  # files: glob-able template with {rank} {suit}; sheet, kde: the svgz


_GNOME = "gnome-cards-data/usr/share/aisleriot/cards/"
_KDE = "kdegames-card-data-kf5/usr/share/carddecks/"
_KENNARD = "heruka_urgyen-react-playing-cards-0.5.0/package/src/images/"


def _gnome(name: str, unseen: bool = False, folder: str = _GNOME) -> DrawnDeck:
    package = folder.split("/")[0]
    return DrawnDeck(f"gnome-{name}", f"Debian {package}", "GPL-3+", unseen, "sheet", f"{folder}{name}.svgz")


def _kde(name: str, file: str, unseen: bool = False) -> DrawnDeck:
    return DrawnDeck(
        f"kde-{name}", "Debian kdegames-card-data-kf5", "GPL-2+", unseen, "kde", f"{_KDE}svg-{name}/{file}.svgz"
    )


def _kennard(name: str) -> DrawnDeck:
    return DrawnDeck(
        f"kennard-{name}",
        "npm @heruka_urgyen/react-playing-cards 0.5.0 (A. Kennard)",
        "CC0",
        False,
        "files",
        f"{_KENNARD}{name}/{{R}}{{S}}.svg",
    )


DECKS = (
    *(_kennard(n) for n in ("2color", "2color-bf", "4color", "4color-bf")),
    DrawnDeck(
        "bellot",
        "npm svg-cards 4.0.2 (D. Bellot)",
        "LGPL-2.1",
        False,
        "files",
        "svg-cards-4.0.2/package/png/2x/{suitname}_{number}.png",
    ),
    *(
        _gnome(n)
        for n in (
            "anglo",
            "gnomangelo",
            "anglo_bitmap",
            "anglo_poker",
            "simplistic",
            "plastic",
            "neoclassical",
            "neoclassical_4_color",
            "tango",
            "dondorf",
            "paris",
            "tigullio",
            "atlasnye",
            "orell",
        )
    ),
    _gnome("bonded", folder="aisleriot/usr/share/aisleriot/cards/"),
    _kde("standard", "standard"),
    _kde("penguins", "penguins"),
    _kde("jolly-royal", "jolly-royal"),
    DrawnDeck(
        "kenney",
        "PyPI arcade 3.3.3 (Kenney)",
        "CC0",
        False,
        "files",
        "arcade/arcade/resources/assets/images/cards/card{Suitname}{rank10}.png",
    ),
    DrawnDeck(
        "aguilar",
        "npm cardsJS 1.1.1 (C. Aguilar)",
        "LGPL-3",
        True,
        "files",
        "cardsJS-1.1.1/package/dist/cards/{rank10}{S}.svg",
    ),
    DrawnDeck(
        "knoll",
        "PyPI blackduck-v2 0.1.1 (B. Knoll)",
        "MIT",
        True,
        "files",
        "blackduck_v2/blackduck_v2_package/assets/Carddeck/{Suitname}/{rank10}.png",
    ),
    DrawnDeck(
        "tekeye",
        "Debian texlive-games",
        "LPPL",
        True,
        "files",
        "texlive-games/usr/share/texlive/texmf-dist/tex/latex/jeuxcartes/CaJ-PokeRv2-{french}.pdf",
    ),
    _gnome("anglo_modern", unseen=True),
    _gnome("anglo_modern_4_color", unseen=True),
    _kde("nicu-white", "white", unseen=True),
    _gnome("ornamental", unseen=True),
)
CREDITS = {d.name: f"{d.package}, {d.licence}" for d in DECKS}
