/** A regular expression as a tree. The engine itself decides what a character class or an escape accepts. */
type Node =
  | { kind: 'char'; accepts: (char: string) => boolean }
  | { kind: 'sequence'; parts: Node[] }
  | { kind: 'choice'; options: Node[] }
  | { kind: 'repeat'; part: Node; least: number; most: number; isLazy: boolean }
  | { kind: 'edge'; holds: (text: string, at: number) => boolean }
  | { kind: 'look'; part: Node; isBehind: boolean; isNegative: boolean }

type Instruction =
  | { op: 'char'; accepts: (char: string) => boolean }
  | { op: 'fork'; first: number; second: number }
  | { op: 'jump'; to: number }
  | { op: 'edge'; holds: (text: string, at: number) => boolean }
  | { op: 'look'; program: Instruction[]; back: number; isNegative: boolean }
  | { op: 'end' }

export type Expression = Pick<RegExp, 'source' | 'flags'>

const isWord = (text: string, at: number): boolean => /^\w$/.test(text[at] ?? '')
const isAtWordEdge = (text: string, at: number): boolean => isWord(text, at - 1) !== isWord(text, at)

const edges: Readonly<Record<string, (text: string, at: number) => boolean>> = {
  '^': (_text, at) => at === 0,
  $: (text, at) => at === text.length,
  '\\b': isAtWordEdge,
  '\\B': (text, at) => !isAtWordEdge(text, at),
}

/** Parses an expression; throws at features that no expression here uses: multiline mode and back-references. */
export const parse = ({ source, flags }: Expression): Node => {
  if (/[my]/.test(flags)) throw new Error(`Flags ${flags} are not read`)
  const engineFlags = flags.replace('g', '')
  let at = 0

  const char = (atom: string): Node => {
    const whole = new RegExp(`^(?:${atom})$`, engineFlags)
    const known = new Map<string, boolean>()
    const accepts = (one: string): boolean => {
      const answer = known.get(one) ?? whole.test(one)
      known.set(one, answer)
      return answer
    }
    return { kind: 'char', accepts }
  }
  const take = (pattern: RegExp): string => {
    const found = new RegExp(pattern.source, 'y')
    found.lastIndex = at
    const [text = ''] = found.exec(source) ?? []
    at += text.length
    return text
  }
  const group = (): Node => {
    const opening = take(/\((?:\?(?:<[=!]|[:=!]|<\w+>))?/)
    const part = choice()
    at += 1
    if (!/[=!]$/.test(opening)) return part
    return { kind: 'look', part, isBehind: opening.includes('<'), isNegative: opening.endsWith('!') }
  }
  const atom = (): Node => {
    if (source[at] === '(') return group()
    const edge = take(/\^|\$|\\[bB]/)
    const holds = edges[edge]
    if (holds !== undefined) return { kind: 'edge', holds }
    const one = take(/\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|\\[^1-9k]|[^\\]/i)
    if (one === '') throw new Error(`Not read: ${source.slice(at)}`)
    return char(one)
  }
  const repeated = (): Node => {
    const part = atom()
    const quantifier = take(/(?:[*+?]|\{\d+(?:,\d*)?\})\??/)
    if (quantifier === '') return part
    const isLazy = quantifier.length > 1 && quantifier.endsWith('?')
    const [, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier) ?? []
    if (least !== undefined) {
      return {
        kind: 'repeat',
        part,
        least: Number(least),
        most: comma === '' ? Number(least) : most === '' ? Infinity : Number(most),
        isLazy,
      }
    }
    return {
      kind: 'repeat',
      part,
      least: quantifier.startsWith('+') ? 1 : 0,
      most: quantifier.startsWith('?') ? 1 : Infinity,
      isLazy,
    }
  }
  const sequence = (): Node => {
    const parts: Node[] = []
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated())
    return { kind: 'sequence', parts }
  }
  const choice = (): Node => {
    const options = [sequence()]
    while (source[at] === '|') {
      at += 1
      options.push(sequence())
    }
    return { kind: 'choice', options }
  }
  const read = choice()
  if (at < source.length) throw new Error(`Not read: ${source.slice(at)}`)
  return read
}

/** The least number of characters that a part takes; for lookbehind the exact number. */
const widthOf = (node: Node): number => {
  if (node.kind === 'char') return 1
  if (node.kind === 'sequence') return node.parts.reduce((sum, part) => sum + widthOf(part), 0)
  if (node.kind === 'choice') return Math.min(...node.options.map(widthOf))
  return node.kind === 'repeat' ? node.least * widthOf(node.part) : 0
}

const compile = (node: Node, into: Instruction[] = []): Instruction[] => {
  if (node.kind === 'char') into.push({ op: 'char', accepts: node.accepts })
  else if (node.kind === 'edge') into.push({ op: 'edge', holds: node.holds })
  else if (node.kind === 'sequence') for (const part of node.parts) compile(part, into)
  else if (node.kind === 'look') {
    const program: Instruction[] = [...compile(node.part), { op: 'end' }]
    into.push({ op: 'look', program, back: node.isBehind ? widthOf(node.part) : 0, isNegative: node.isNegative })
  } else if (node.kind === 'choice') {
    const jumps: { op: 'jump'; to: number }[] = []
    for (const [index, option] of node.options.entries()) {
      const fork = { op: 'fork' as const, first: into.length + 1, second: 0 }
      if (index < node.options.length - 1) into.push(fork)
      compile(option, into)
      const jump = { op: 'jump' as const, to: 0 }
      if (index < node.options.length - 1) into.push(jump)
      jumps.push(jump)
      fork.second = into.length
    }
    for (const jump of jumps) jump.to = into.length
  } else {
    if (node.most === Infinity && widthOf(node.part) === 0) throw new Error('What repeats without end may be nothing')
    for (let count = 0; count < node.least; count += 1) compile(node.part, into)
    const forks: { op: 'fork'; first: number; second: number }[] = []
    const times = node.most === Infinity ? 1 : node.most - node.least
    for (let count = 0; count < times; count += 1) {
      const fork = { op: 'fork' as const, first: 0, second: 0 }
      forks.push(fork)
      into.push(fork)
      const begin = into.length
      compile(node.part, into)
      if (node.most === Infinity) into.push({ op: 'jump', to: begin - 1 })
      fork[node.isLazy ? 'second' : 'first'] = begin
    }
    for (const fork of forks) fork[node.isLazy ? 'first' : 'second'] = into.length
  }
  return into
}

/**
 * Counts the steps of a plain backtracking search, without the optimisations of engines, up to `most`. With the flag
 * `g` it goes on after each match.
 */
export const createCounter = (expression: Expression): ((text: string, most: number) => number) => {
  const program: Instruction[] = [...compile(parse(expression)), { op: 'end' }]
  return (text, most) => {
    let steps = 0
    /** The end of a match that begins there; -1 without one. */
    const run = (instructions: Instruction[], from: number): number => {
      const waiting: number[] = []
      let [next, at] = [0, from]
      while (steps < most) {
        steps += 1
        const one = instructions[next]
        if (one === undefined || one.op === 'end') return at
        let isFine = true
        if (one.op === 'char') {
          isFine = at < text.length && one.accepts(text[at] ?? '')
          at += 1
        } else if (one.op === 'edge') isFine = one.holds(text, at)
        else if (one.op === 'look')
          isFine = (at >= one.back && run(one.program, at - one.back) !== -1) !== one.isNegative
        if (one.op === 'jump') next = one.to
        else if (one.op === 'fork') {
          waiting.push(one.second, at)
          next = one.first
        } else next += 1
        if (isFine) continue
        const [target, position] = [waiting.at(-2), waiting.at(-1)]
        if (target === undefined || position === undefined) return -1
        waiting.length -= 2
        next = target
        at = position
      }
      return -1
    }
    let start = 0
    while (start <= text.length) {
      const end = run(program, start)
      if (steps >= most || (end !== -1 && !expression.flags.includes('g'))) break
      start = Math.max(end, start + 1)
    }
    return steps
  }
}

const alphabet = [
  ...Array.from({ length: 95 }, (_, code) => String.fromCharCode(32 + code)),
  '\t',
  '\r',
  '\n',
  '\0',
  'é',
  'я',
]

const atomsOf = (node: Node): ((char: string) => boolean)[] => {
  if (node.kind === 'char') return [node.accepts]
  if (node.kind === 'sequence') return node.parts.flatMap(atomsOf)
  if (node.kind === 'choice') return node.options.flatMap(atomsOf)
  return node.kind === 'edge' ? [] : atomsOf(node.part)
}

const maxKinds = 12

/** One character of each kind that an expression distinguishes, those accepted by the most parts first. */
export const kindsOf = (node: Node): string[] => {
  const atoms = atomsOf(node)
  const kinds = new Map<string, { char: string; accepted: number }>()
  for (const char of alphabet) {
    const answers = [isWord(char, 0), ...atoms.map((accepts) => accepts(char))]
    const key = answers.map(Number).join('')
    if (!kinds.has(key)) kinds.set(key, { char, accepted: answers.filter(Boolean).length })
  }
  const most = [...kinds.values()].toSorted((one, other) => other.accepted - one.accepted)
  return most.slice(0, maxKinds).map(({ char }) => char)
}

/** A text that the expression may match, by `random`, which returns 0 to 1. */
export const sampleOf = (node: Node, random: () => number): string => {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)]
  if (node.kind === 'char') return pick(alphabet.filter(node.accepts)) ?? ''
  if (node.kind === 'sequence') return node.parts.map((part) => sampleOf(part, random)).join('')
  if (node.kind === 'choice') {
    const option = pick(node.options)
    return option === undefined ? '' : sampleOf(option, random)
  }
  if (node.kind === 'look') return node.isNegative ? '' : sampleOf(node.part, random)
  if (node.kind === 'edge') return ''
  const count = Math.min(node.most, node.least + Math.floor(random() * 4))
  return Array.from({ length: count }, () => sampleOf(node.part, random)).join('')
}
