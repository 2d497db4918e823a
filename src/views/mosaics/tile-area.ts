export const tileArea = ({ x, y, w, h }: { x: number; y: number; w: number; h: number }) => ({
  gridArea: `${y + 1} / ${x + 1} / span ${h} / span ${w}`,
})
