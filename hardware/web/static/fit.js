// Sets the largest type in which a box's content still fits the box.
const TRIAL = 100; // px

// For text that wraps: searched. Returns whether it fits even at the smallest.
export function fitText(box, smallest, largest) {
  let low = smallest;
  let high = Math.max(smallest, largest);
  const fits = (size) => {
    box.style.fontSize = `${size}px`;
    return box.scrollHeight <= box.clientHeight + 1 && box.scrollWidth <= box.clientWidth + 1;
  };
  if (fits(high)) return true;
  if (!fits(low)) return false;
  while (high - low > 1) {
    const size = (low + high) / 2;
    if (fits(size)) low = size;
    else high = size;
  }
  return fits(low);
}

// For one line that grows evenly with its type: measured once.
export function fitLine(box, smallest, largest) {
  box.style.fontSize = `${TRIAL}px`;
  const boxes = [...box.children].map((child) => child.getBoundingClientRect());
  if (!boxes.length) return;
  const content = {
    width: Math.max(...boxes.map((part) => part.right)) - Math.min(...boxes.map((part) => part.left)),
    height: Math.max(...boxes.map((part) => part.height)),
  };
  const style = getComputedStyle(box);
  const room = {
    width: box.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight),
    height: box.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom),
  };
  const size = 0.99 * TRIAL * Math.min(room.width / content.width, room.height / content.height);
  box.style.fontSize = `${Math.min(Math.max(size, smallest), largest)}px`;
}
