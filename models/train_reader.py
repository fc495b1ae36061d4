"""Trains a reader of patches; `python -m models.train_reader --data runs/data --kind index --epochs 12 --seed 1`.

Two small plain networks of one make, for indices and for whole faces: they are trained in minutes on two cores. It goes
on from its last epoch when it was stopped.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812  # its usual name

from models.cuts import CUTS, JOKER_RANK, NO_SUIT, NONE, Cut

FILES = {"index": "reader.pt", "face": "face.pt"}


def block(inner: int, outer: int, stride: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.BatchNorm2d(outer), nn.SiLU())


class Residual(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is not installed where types are checked
    def __init__(self, width: int) -> None:
        super().__init__()
        self.a, self.b = block(width, width, 1), block(width, width, 1)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = x + self.b(self.a(x))
        return out


class ReaderNet(nn.Module):  # type: ignore[misc, unused-ignore]
    """Patches (N, 3, height, width) RGB 0 to 1 -> probabilities of 15 ranks (13, none, joker) and 5 suits (4, none).

    `temperature` softens both.
    """

    def __init__(self, cut: Cut) -> None:
        super().__init__()
        cells = (cut.size[0] // 8) * (cut.size[1] // 8)
        self.body = nn.Sequential(
            block(3, 24, 2), block(24, 48, 2), Residual(48), block(48, 96, 2), Residual(96), nn.Dropout2d(0.05)
        )
        self.squeeze = block(96, 32, 1)
        self.rank, self.suit = nn.Linear(32 * cells, JOKER_RANK + 1), nn.Linear(32 * cells, NO_SUIT + 1)
        self.temperature: Tensor
        self.register_buffer("temperature", torch.ones(2))

    def logits(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.squeeze(self.body(x)).flatten(1)
        return self.rank(x), self.suit(x)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        rank, suit = self.logits(x)
        return torch.softmax(rank / self.temperature[0], 1), torch.softmax(suit / self.temperature[1], 1)


def jitter(cut: Cut, patches: Tensor, generator: torch.Generator, amount: float = 1.0) -> Tensor:
    """Cut windows of the network's size out of stored patches, turned, shifted, scaled and recoloured at random."""
    n = len(patches)

    def uniform(low: float, high: float, *shape: int) -> Tensor:
        return torch.rand(n, *shape, generator=generator) * (high - low) + low

    turn = uniform(-cut.turn, cut.turn) * amount
    scale = torch.exp(uniform(-cut.scale, cut.scale) * amount) * cut.zoom
    stretch = torch.exp(uniform(-cut.stretch, cut.stretch) * amount)
    aspect = cut.stored[1] / cut.stored[0]
    cos, sin = torch.cos(turn), torch.sin(turn)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0], theta[:, 0, 1] = scale * cos * stretch, -scale * sin * aspect
    theta[:, 1, 0], theta[:, 1, 1] = scale * sin * stretch / aspect, scale * cos
    theta[:, :, 2] = uniform(-cut.shift, cut.shift, 2) * amount
    grid = F.affine_grid(theta, [n, 3, cut.size[1], cut.size[0]], align_corners=False)
    x = F.grid_sample(patches, grid, align_corners=False, padding_mode="border")
    if amount:
        x = recolour(x, generator)
    return x


def recolour(x: Tensor, generator: torch.Generator) -> Tensor:
    n = len(x)
    pick = torch.rand(n, 4, 1, 1, 1, generator=generator)
    grey = x.mean(1, keepdim=True).expand_as(x)
    x = torch.where(pick[:, 0] < 0.15, grey, x)
    x = torch.where(pick[:, 1] < 0.06, x.flip(1), x)
    x = torch.where(pick[:, 3] < 0.1, 1 - x, x)  # a light index on a dark card: all-black decks
    gain = torch.exp(torch.randn(n, 3, 1, 1, generator=generator) * 0.12)
    contrast = torch.exp(torch.randn(n, 1, 1, 1, generator=generator) * 0.25)
    mean = x.mean((1, 2, 3), keepdim=True)
    x = (x - mean) * contrast + mean + torch.randn(n, 1, 1, 1, generator=generator) * 0.08
    return (x * gain + torch.randn(x.shape, generator=generator) * (pick[:, 2] * 0.05)).clamp(0, 1)


def load(cut: Cut, data: Path, parts: slice) -> tuple[Tensor, Tensor]:
    """Stored patches as uint8 (N, 3, height, width) RGB and their (rank, suit) numbers."""
    files = sorted((data / cut.name).glob("*.npz"))[parts]
    if not files:
        raise FileNotFoundError(f"{data / cut.name}: no patches; run python -m models.dataset first")
    loaded = [np.load(f) for f in files]
    images = np.concatenate([x["patches"] for x in loaded]).transpose(0, 3, 1, 2)[:, ::-1]
    labels = np.concatenate([x["labels"] for x in loaded]).astype(np.int64)
    return torch.from_numpy(np.ascontiguousarray(images)), torch.from_numpy(labels)


def turned_over(cut: Cut, x: Tensor, y: Tensor, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Turn some of the patches upside down: no indices then, a 6 must not be read as a 9; faces are what they were."""
    flip = torch.rand(len(x), generator=generator) < (0.5 if cut.either_way_up else 0.05)
    x, y = x.clone(), y.clone()
    x[flip] = x[flip].flip(2, 3)
    if not cut.either_way_up:
        y[flip, 0], y[flip, 1] = NONE, NO_SUIT
    return x, y


def loss_of(net: ReaderNet, x: Tensor, y: Tensor) -> Tensor:
    rank, suit = net.logits(x)
    return F.cross_entropy(rank, y[:, 0]) + F.cross_entropy(suit, y[:, 1])


@torch.no_grad()  # type: ignore[untyped-decorator, unused-ignore]
def measure(cut: Cut, net: ReaderNet, x: Tensor, y: Tensor) -> dict[str, float]:
    """Accuracy of rank, suit and both on held-out patches with mild jitter."""
    net.eval()
    generator = torch.Generator().manual_seed(99)
    right = np.zeros(3)
    for k in range(0, len(x), 512):
        rank, suit = net(jitter(cut, x[k : k + 512].float() / 255, generator, 0.4))
        a, b = rank.argmax(1) == y[k : k + 512, 0], suit.argmax(1) == y[k : k + 512, 1]
        right += [float(a.sum()), float(b.sum()), float((a & b).sum())]
    return dict(zip(("rank", "suit", "both"), (right / len(x)).round(4).tolist(), strict=True))


def soften(cut: Cut, net: ReaderNet, x: Tensor, y: Tensor) -> None:
    """Set the two temperatures that make the held-out probabilities honest."""
    net.eval()
    generator = torch.Generator().manual_seed(98)
    with torch.no_grad():
        logits = [net.logits(jitter(cut, x[k : k + 512].float() / 255, generator, 0.7)) for k in range(0, len(x), 512)]
    for head in range(2):
        z = torch.cat([pair[head] for pair in logits])
        scores = [(float(F.cross_entropy(z / t, y[:, head])), t) for t in np.linspace(0.6, 3.0, 49)]
        net.temperature[head] = min(scores)[1]


def _widened(state: dict[str, Tensor], net: ReaderNet) -> dict[str, Tensor]:
    """The weights of a net that knew fewer ranks, the new ones' rows as this net has them."""
    own = net.state_dict()
    for name in ("rank.weight", "rank.bias"):
        known = state[name]
        state[name] = torch.cat([known, own[name][len(known) :]])
    return state


def train(args: argparse.Namespace) -> None:
    """Train, keep the checkpoint after each epoch, print a line an epoch."""
    cut = CUTS[args.kind]
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    generator = torch.Generator().manual_seed(args.seed)
    held_x, held_y = load(cut, args.data, slice(0, 1))
    x, y = load(cut, args.data, slice(1, None))
    net = ReaderNet(cut).to(memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr, weight_decay=0.01)
    steps = len(x) // args.batch
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, args.lr, total_steps=steps * args.epochs, pct_start=0.1)
    args.out.mkdir(parents=True, exist_ok=True)
    path, first = args.out / FILES[cut.name], 0
    if args.weights:
        net.load_state_dict(_widened(torch.load(args.weights)["net"], net))
    if path.is_file() and args.resume:
        saved = torch.load(path)
        net.load_state_dict(saved["net"])
        optimizer.load_state_dict(saved["optimizer"])
        schedule.load_state_dict(saved["schedule"])
        generator.set_state(saved["generator"])
        first = saved["epoch"] + 1
    for epoch in range(first, args.epochs):
        net.train()
        began, total = time.monotonic(), 0.0
        order = torch.randperm(len(x), generator=generator)
        for k in range(steps):
            pick = order[k * args.batch : (k + 1) * args.batch]
            bx, by = turned_over(cut, x[pick].float() / 255, y[pick], generator)
            loss = loss_of(net, jitter(cut, bx, generator), by)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            optimizer.step()
            schedule.step()
            total += loss.item()
            if k % 100 == 0:
                print(
                    f"epoch {epoch + 1}/{args.epochs} step {k}/{steps} loss {total / (k + 1):.3f}"
                    f" {time.monotonic() - began:.0f} s",
                    flush=True,
                )
        soften(cut, net, held_x, held_y)
        figures = measure(cut, net, held_x, held_y)
        print(
            json.dumps(
                {
                    "epoch": epoch + 1,
                    "loss": round(total / steps, 4),
                    **figures,
                    "temperature": net.temperature.tolist(),
                }
            ),
            flush=True,
        )
        torch.save(
            {
                "net": net.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "generator": generator.get_state(),
                "epoch": epoch,
                "figures": figures,
            },
            path,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("runs/data"))
    parser.add_argument("--out", type=Path, default=Path("runs/train"))
    parser.add_argument("--kind", choices=sorted(CUTS), default="index")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--lr", type=float, default=0.003)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, help="start from a checkpoint")
    parser.add_argument("--resume", action="store_true")
    train(parser.parse_args())


if __name__ == "__main__":
    main()
