import type { Drawing, DrawnEdge, DrawnState, Point } from './layout.ts'
import { type } from './layout.ts'

/** An SVG element, rendered as text for the docs and by React in the inspector; CSS styles it by `data-part`. */
export interface Mark {
  tag: 'g' | 'rect' | 'path' | 'circle' | 'text' | 'title'
  attributes: Readonly<Record<string, string | number>>
  content: readonly Mark[] | string
}

const mark = (tag: Mark['tag'], attributes: Mark['attributes'], content: Mark['content'] = []): Mark => ({
  tag,
  attributes,
  content,
})

/** The elements of a drawing, outer states first. `data-state` and `data-edge` hold the ids of a group. */
export const marksOf = ({ states, edges }: Drawing): Mark[] => [...states.map(stateMark), ...edges.map(edgeMark)]

function stateMark({ state, rows, x, y, width, height }: DrawnState): Mark {
  const box = { x, y, width, height, rx: 6 }
  const lines = rows.map(({ text, edge }, index) =>
    mark(
      'text',
      {
        'data-part': 'row',
        ...(edge === null ? {} : { 'data-edge': edge }),
        x: x + 12,
        y: y + 38 + index * type.lineHeight,
      },
      text,
    ),
  )
  return mark(
    'g',
    { 'data-part': state.kind, 'data-state': state.id, ...(state.isRegion ? { 'data-region': 'true' } : {}) },
    [
      mark('rect', { 'data-part': 'box', ...box }),
      ...(state.kind === 'final'
        ? [mark('rect', { 'data-part': 'inner', x: x + 3, y: y + 3, width: width - 6, height: height - 6, rx: 4 })]
        : []),
      mark('text', { 'data-part': 'title', x: x + 12, y: y + 18 }, state.key),
      ...(state.tags.length === 0
        ? []
        : [mark('text', { 'data-part': 'tags', x: x + width - 12, y: y + 18 }, state.tags.join(' '))]),
      ...lines,
    ],
  )
}

function edgeMark({ edge, points, label }: DrawnEdge): Mark {
  const end = points.at(-1) ?? { x: 0, y: 0 }
  const line = mark('path', { 'data-part': 'line', d: smooth(points) })
  const head = mark('path', { 'data-part': 'head', d: headAt(end, points.at(-2) ?? end) })
  if (edge === null) {
    const start = points[0] ?? end
    return mark('g', { 'data-part': 'first' }, [
      mark('circle', { 'data-part': 'dot', cx: start.x, cy: start.y - 5, r: 4 }),
      line,
      head,
    ])
  }
  const words = label.lines.map((text, index) =>
    mark(
      'text',
      { 'data-part': index === 0 ? 'event' : 'guard', x: label.x + 4, y: label.y + 12 + index * type.lineHeight },
      text,
    ),
  )
  const back = mark('rect', {
    'data-part': 'back',
    x: label.x,
    y: label.y,
    width: label.width,
    height: label.height,
    rx: 3,
  })
  return mark('g', { 'data-part': 'edge', 'data-edge': edge.id }, [line, head, back, ...words])
}

const corner = 6

function smooth(points: readonly Point[]): string {
  const [start = { x: 0, y: 0 }, ...rest] = points
  const bends = rest.map((point, index) => {
    const next = rest[index + 1]
    if (next === undefined) return `L${at(point)}`
    return `L${at(towards(point, points[index] ?? start))}Q${at(point)} ${at(towards(point, next))}`
  })
  return `M${at(start)}${bends.join('')}`
}

const at = ({ x, y }: Point) => `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`

function towards(from: Point, to: Point): Point {
  const length = Math.hypot(to.x - from.x, to.y - from.y)
  const part = length === 0 ? 0 : Math.min(corner, length / 2) / length
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }
}

function headAt(end: Point, before: Point): string {
  const length = Math.hypot(end.x - before.x, end.y - before.y) || 1
  const [dx, dy] = [(end.x - before.x) / length, (end.y - before.y) / length]
  const side = (sign: 1 | -1): Point => ({ x: end.x - dx * 8 - dy * 4 * sign, y: end.y - dy * 8 + dx * 4 * sign })
  return `M${at(end)}L${at(side(1))}L${at(side(-1))}Z`
}
