// Finds where the seats' tiles go so that they sit as at the table and their figures are as large as fits.
const GAP = 8;
const RATIOS = [1.4, 1.25, 1.1, 1.0, 0.9];
const ROUNDS = 60;
const MIDDLE = 0.335; // of the height, for the figures that are read from three metres
const BREADTH = 0.41; // of the width
const SMALLEST = { width: 96, height: 92 };

// Seats' circles (felt mm) as fractions of their bounding box, turned to the side the table is looked at from.
export function fractions(seats, side) {
  const xs = seats.map((seat) => seat.circle[0]);
  const ys = seats.map((seat) => seat.circle[1]);
  const part = (value, all, fallback) => {
    const low = Math.min(...all);
    const span = Math.max(...all) - low;
    return span < 1 ? fallback : (value - low) / span;
  };
  return seats.map((seat) => {
    const u = part(seat.circle[0], xs, 0.5);
    const v = part(seat.circle[1], ys, 1);
    return side === "players" ? { u: 1 - u, v } : { u, v: 1 - v };
  });
}

const overlap = (a, b, gap = GAP) =>
  a.x < b.x + b.w + gap && b.x < a.x + a.w + gap && a.y < b.y + b.h + gap && b.y < a.y + a.h + gap;

function dealerBox(width, height, side) {
  const w = Math.min(width * 0.4, height * 0.95);
  const h = height * 0.27;
  return { x: (width - w) / 2, y: side === "players" ? GAP : height - h - GAP, w, h };
}

// The free box in the middle, between the dealer and the seats across.
function middle(width, tiles, dealer, side) {
  const down = side === "players";
  let half = width * 0.17;
  const inBand = (tile) => Math.abs(tile.x + tile.w / 2 - width / 2) < half + tile.w / 2 + GAP;
  const edges = tiles.filter(inBand).map((tile) => (down ? tile.y : tile.y + tile.h));
  const near = down ? dealer.y + dealer.h + GAP : dealer.y - GAP;
  const far = down ? Math.min(...edges, Infinity) - GAP : Math.max(...edges, -Infinity) + GAP;
  const box = { x: 0, y: Math.min(near, far), w: 0, h: down ? far - near : near - far };
  for (const tile of tiles) {
    if (tile.y > box.y + box.h || tile.y + tile.h < box.y) continue;
    const reach = Math.max(tile.x - width / 2, width / 2 - tile.x - tile.w) - GAP;
    half = Math.max(half, 0);
    box.reach = Math.min(box.reach ?? Infinity, reach);
  }
  const reach = Math.min(box.reach ?? width / 2 - GAP, width / 2 - GAP, width * 0.4);
  return { x: width / 2 - reach, y: box.y, w: reach * 2, h: box.h };
}

// What must stay free beside the dealer whatever the seats do.
function coreBox(width, height, dealer, side) {
  const w = width * (BREADTH + 0.01);
  const h = height * (MIDDLE + 0.01);
  const y = side === "players" ? dealer.y + dealer.h + GAP : dealer.y - GAP - h;
  return { x: (width - w) / 2, y, w, h };
}

function arrange(width, height, points, w, h) {
  return points.map(({ u, v }) => ({
    x: GAP + u * (width - 2 * GAP - w),
    y: GAP + v * (height - 2 * GAP - h),
    w,
    h,
  }));
}

// How far two boxes must part: along the axis that needs less, in the direction they already lie.
function parting(a, b, gap) {
  const dx = (a.x + a.w / 2) - (b.x + b.w / 2);
  const dy = (a.y + a.h / 2) - (b.y + b.h / 2);
  const x = (a.w + b.w) / 2 + gap - Math.abs(dx);
  const y = (a.h + b.h) / 2 + gap - Math.abs(dy);
  if (x <= 0 || y <= 0) return null;
  return x < y ? { x: Math.sign(dx) * x, y: 0 } : { x: 0, y: Math.sign(dy) * y };
}

// Pushes tiles off each other and off what is fixed, within the edges; the order round the table stays.
function relax(width, height, tiles, fixed) {
  for (let round = 0; round < ROUNDS; round += 1) {
    const pushes = tiles.map(() => ({ x: 0, y: 0 }));
    const push = (i, part, share) => {
      pushes[i].x += part.x * share;
      pushes[i].y += part.y * share;
    };
    tiles.forEach((tile, i) => {
      for (const box of fixed) {
        const part = parting(tile, box, GAP);
        if (part) push(i, part, 1);
      }
      tiles.slice(i + 1).forEach((other, k) => {
        const part = parting(tile, other, GAP + 0.5);
        if (!part) return;
        push(i, part, 0.5);
        push(i + 1 + k, part, -0.5);
      });
    });
    if (pushes.every((way) => way.x === 0 && way.y === 0)) break;
    tiles.forEach((tile, i) => {
      tile.x = Math.min(Math.max(tile.x + pushes[i].x * 0.8, GAP), width - GAP - tile.w);
      tile.y = Math.min(Math.max(tile.y + pushes[i].y * 0.8, GAP), height - GAP - tile.h);
    });
  }
  return tiles;
}

function fits(width, height, tiles, dealer, centre, corners) {
  if (centre.h < height * MIDDLE || centre.w < width * BREADTH) return false;
  return tiles.every(
    (tile, i) =>
      !overlap(tile, dealer, GAP - 1) &&
      !corners.some((corner) => overlap(tile, corner, 0)) &&
      tiles.slice(i + 1).every((other) => !overlap(tile, other, GAP - 1)),
  );
}

// Returns {tiles, dealer, centre} in pixels, or null where the area is too small to seat them so.
export function place(width, height, seats, side, corner = 56) {
  const points = fractions(seats, side);
  const dealer = dealerBox(width, height, side);
  const cornerY = side === "players" ? height - corner : 0;
  const corners = [0, width - corner].map((x) => ({ x, y: cornerY, w: corner, h: corner }));
  const step = Math.max(2, Math.round(height / 200));
  let best = null;
  for (const ratio of RATIOS) {
    for (let h = Math.floor(height * 0.42); h >= SMALLEST.height; h -= step) {
      const w = Math.floor(h * ratio);
      const size = Math.min(h * 0.5, w * 0.44);
      if (w < SMALLEST.width || w > width * 0.42 || (best && size <= best.size)) break;
      const core = coreBox(width, height, dealer, side);
      const tiles = relax(width, height, arrange(width, height, points, w, h), [dealer, core, ...corners]);
      const centre = middle(width, tiles, dealer, side);
      if (fits(width, height, tiles, dealer, centre, corners)) {
        best = { tiles, dealer, centre, size };
        break;
      }
    }
  }
  return best;
}
