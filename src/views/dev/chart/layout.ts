import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js'
import type { Chart, ChartEdge, ChartState } from './chart-model.ts'

export interface Point {
  x: number
  y: number
}

interface Box extends Point {
  width: number
  height: number
}

/** A row of a state's box: an action, an invoked actor, or a transition that isn't drawn as a line. */
interface Row {
  text: string
  edge: string | null
}

export interface DrawnState extends Box {
  state: ChartState
  rows: readonly Row[]
}

export interface DrawnEdge {
  /** Null for the arrow to the initial state. */
  edge: ChartEdge | null
  points: readonly Point[]
  label: Box & { lines: readonly string[] }
}

/** The positions of everything in a chart, in pixels from its upper left corner. */
export interface Drawing {
  width: number
  height: number
  states: readonly DrawnState[]
  edges: readonly DrawnEdge[]
}

export type LayOut = (graph: ElkNode) => Promise<ElkNode>

/** All texts are in a monospaced font (`pitch`: width by font size), so that their width is known without a screen. */
export const type = { title: 13, text: 11, lineHeight: 16, pitch: 0.602 } as const
const pad = 12
const titleHeight = 26
const dot = 10

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.shapeCoords': 'ROOT',
  'elk.json.edgeCoords': 'ROOT',
  'elk.layered.cycleBreaking.strategy': 'DEPTH_FIRST',
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.spacing.nodeNodeBetweenLayers': '36',
  'elk.layered.spacing.edgeNodeBetweenLayers': '16',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '14',
  'elk.spacing.nodeNode': '28',
  'elk.spacing.edgeNode': '18',
  'elk.spacing.edgeEdge': '14',
  'elk.spacing.edgeLabel': '4',
  'elk.spacing.nodeSelfLoop': '14',
  'elk.randomSeed': '1',
}

/** Lays out the chart of a machine; the same chart always gives the same drawing. */
export async function drawingOf(chart: Chart, layOut: LayOut): Promise<Drawing> {
  const rows = new Map(chart.states.map((state) => [state.id, rowsOf(state, chart)]))
  const root = chart.states.find(({ parent }) => parent === null)
  if (root === undefined) return { width: 0, height: 0, states: [], edges: [] }
  const drawn = chart.edges.flatMap((edge) =>
    isDrawn(edge, chart) ? edge.targets.map((target) => elkEdge(edge, target)) : [],
  )
  const graph = await layOut({
    id: '',
    layoutOptions: { ...options, 'elk.padding': '[top=8,left=8,bottom=8,right=8]' },
    children: [elkNode(root, chart, rows)],
    edges: [...drawn, ...initialEdges(chart)],
  })
  const boxes = new Map(flat(graph).map((node) => [node.id, boxOf(node)]))
  const edges = new Map(chart.edges.map((edge) => [edge.id, edge]))
  return {
    width: Math.ceil(graph.width ?? 0),
    height: Math.ceil(graph.height ?? 0),
    states: chart.states.map((state) => ({
      state,
      rows: rows.get(state.id) ?? [],
      ...(boxes.get(state.id) ?? boxOf({})),
    })),
    edges: flat(graph)
      .flatMap((node) => node.edges ?? [])
      .map((line) => drawnEdge(line, edges)),
  }
}

const widthOf = (text: string, size: number = type.text) => Math.ceil(text.length * size * type.pitch)

/** A transition without a target, or from a state to one inside it, is a row in the state's box instead. */
function isDrawn({ source, targets }: ChartEdge, chart: Chart): boolean {
  return targets.length > 0 && targets.every((target) => target === source || !isWithin(target, source, chart))
}

function isWithin(id: string, ancestor: string, chart: Chart): boolean {
  const parent = chart.states.find((state) => state.id === id)?.parent ?? null
  return parent !== null && (parent === ancestor || isWithin(parent, ancestor, chart))
}

function rowsOf(state: ChartState, chart: Chart): Row[] {
  const plain = (label: string, names: readonly string[]): Row[] =>
    names.length === 0 ? [] : [{ text: clip(`${label} ${names.join(', ')}`), edge: null }]
  const reactions = chart.edges.filter((edge) => edge.source === state.id && !isDrawn(edge, chart))
  return [
    ...state.invokes.map((invoke) => ({ text: clip(`invoke ${invoke}`), edge: null })),
    ...plain('entry /', state.entry),
    ...plain('exit /', state.exit),
    ...reactions.map((edge) => ({ text: clip(rowText(edge, state)), edge: edge.id })),
  ]
}

function rowText({ event, guard, actions, targets }: ChartEdge, { id }: ChartState): string {
  const condition = guard === null ? '' : ` [${guard}]`
  if (targets.length > 0)
    return `${event}${condition} → ${targets.map((target) => target.slice(id.length + 1)).join(', ')}`
  return `${event}${condition}${actions.length === 0 ? '' : ` / ${actions.join(', ')}`}`
}

const clip = (text: string) => (text.length > 64 ? `${text.slice(0, 63)}…` : text)

const elkEdge = (edge: ChartEdge, target: string): ElkExtendedEdge => {
  const lines = [edge.event, ...(edge.guard === null ? [] : [`[${edge.guard}]`])].map(clip)
  return {
    id: `${edge.id} ${target}`,
    sources: [edge.source],
    targets: [target],
    labels: [
      {
        text: lines.join('\n'),
        width: Math.max(...lines.map((line) => widthOf(line))) + 8,
        height: lines.length * type.lineHeight,
      },
    ],
  }
}

const initialId = (state: string) => `first ${state}`
const initialEdges = ({ states }: Chart): ElkExtendedEdge[] =>
  states.flatMap(({ id, initial }) =>
    initial === null ? [] : [{ id: `${initialId(id)} edge`, sources: [initialId(id)], targets: [initial] }],
  )

function elkNode(state: ChartState, chart: Chart, rows: ReadonlyMap<string, readonly Row[]>): ElkNode {
  const own = rows.get(state.id) ?? []
  const width =
    Math.max(64, widthOf(state.key, type.title) + tagWidth(state), ...own.map(({ text }) => widthOf(text))) + 2 * pad
  const head = titleHeight + (own.length === 0 ? 0 : own.length * type.lineHeight + 8)
  const inner = chart.states.filter(({ parent }) => parent === state.id)
  if (inner.length === 0) return { id: state.id, width, height: head }
  const first: ElkNode[] = state.initial === null ? [] : [{ id: initialId(state.id), width: dot, height: dot }]
  return {
    id: state.id,
    children: [...first, ...inner.map((child) => elkNode(child, chart, rows))],
    layoutOptions: {
      ...options,
      'elk.padding': `[top=${head + 14},left=16,bottom=16,right=16]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${width}, ${head})`,
    },
  }
}

const tagWidth = ({ tags }: ChartState) => (tags.length === 0 ? 0 : widthOf(tags.join(' ')) + 12)

const flat = (node: ElkNode): ElkNode[] => [node, ...(node.children ?? []).flatMap(flat)]
const round = (value = 0) => Math.round(value * 10) / 10
const boxOf = ({ x, y, width, height }: { x?: number; y?: number; width?: number; height?: number }): Box => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
})

function drawnEdge(
  { id, targets, sections = [], labels = [] }: ElkExtendedEdge,
  edges: ReadonlyMap<string, ChartEdge>,
): DrawnEdge {
  const points = sections.flatMap(({ startPoint, bendPoints = [], endPoint }) => [startPoint, ...bendPoints, endPoint])
  const [label] = labels
  return {
    edge: edges.get(id.slice(0, -(targets[0]?.length ?? 0) - 1)) ?? null,
    points: points.map(({ x, y }) => ({ x: round(x), y: round(y) })),
    label: { ...boxOf(label ?? {}), lines: label?.text?.split('\n') ?? [] },
  }
}
