// Sets the largest type in which a box's content still fits the box.
export function fit(box, smallest, largest) {
  let low = smallest;
  let high = Math.max(smallest, largest);
  const fits = (size) => {
    box.style.fontSize = `${size}px`;
    return box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;
  };
  if (fits(high)) return high;
  while (high - low > 0.5) {
    const size = (low + high) / 2;
    if (fits(size)) low = size;
    else high = size;
  }
  box.style.fontSize = `${low}px`;
  return low;
}
