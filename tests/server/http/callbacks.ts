import { parseSync, Visitor, type ESTree } from 'vite'

const subscriptions = new Set([
  'on',
  'once',
  'addListener',
  'prependListener',
  'prependOnceListener',
  'addEventListener',
])
const schedulers = new Set(['setTimeout', 'setInterval', 'setImmediate', 'nextTick', 'queueMicrotask'])
/** Methods of Node that call their callback from the event loop. */
const finishers = new Set(['listen', 'send', 'exec', 'execFile'])
const streams = new Set(['Transform', 'Writable', 'Readable', 'Duplex'])

const nameOf = (node: ESTree.Node): string => {
  if (node.type === 'Identifier') return node.name
  return node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node.property.name : ''
}

const isFunction = (node: ESTree.Node): boolean =>
  node.type === 'ArrowFunctionExpression' || node.type === 'FunctionExpression'

const isValue = (node: ESTree.Node): boolean => {
  if (node.type === 'ObjectExpression')
    return node.properties.every((each) => each.type === 'Property' && isValue(each.value))
  return node.type === 'Literal' || node.type === 'Identifier'
}

/** The names in a file that are safe as callbacks: functions made by `guarded`, and those that settle a promise. */
const safeNames = (program: ESTree.Program): Set<string> => {
  const names = new Set<string>()
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init?.type === 'CallExpression' && nameOf(init.callee) === 'guarded')
        names.add(id.name)
    },
    NewExpression: ({ callee, arguments: [executor] }) => {
      if (nameOf(callee) !== 'Promise' || executor?.type !== 'ArrowFunctionExpression') return
      for (const param of executor.params) if (param.type === 'Identifier') names.add(param.name)
    },
  }).visit(program)
  return names
}

/** The imports from Node that take callbacks, without those that return promises. */
const importsOfNode = (program: ESTree.Program): Set<string> => {
  const names = new Set<string>()
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || !/^node:(?!.*promises$)/.test(statement.source.value)) continue
    for (const { local } of statement.specifiers) names.add(local.name)
  }
  return names
}

const asyncNames = (program: ESTree.Program): Set<string> => {
  const names = new Set<string>()
  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' && init.async) names.add(id.name)
    },
  }).visit(program)
  return names
}

/**
 * Whether an expression is safe: `() => undefined`, `() => resolve({exitCode: null})`, `resolve`, `guarded(…)`, and
 * anything that isn't a function.
 */
const isSafe = (node: ESTree.Node, safe: Set<string>): boolean => {
  if (node.type === 'CallExpression') return nameOf(node.callee) === 'guarded'
  if (node.type === 'Identifier') return safe.has(node.name) || node.name === 'undefined'
  if (node.type !== 'ArrowFunctionExpression') return node.type === 'Literal'
  const { body } = node
  if (body.type === 'BlockStatement') return body.body.length === 0
  return (
    isValue(body) || (body.type === 'CallExpression' && safe.has(nameOf(body.callee)) && body.arguments.every(isValue))
  )
}

/** A promise that isn't awaited, but whose rejection is handled. */
const isCaught = (node: ESTree.Node): boolean => {
  if (node.type !== 'CallExpression') return true
  const method = node.callee.type === 'MemberExpression' ? nameOf(node.callee) : ''
  return method === 'catch' || (method === 'then' && node.arguments.length === 2)
}

const isChain = (node: ESTree.Node): boolean =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  ['then', 'catch', 'finally'].includes(nameOf(node.callee))

/** The unguarded callbacks of a file, whose errors or rejections would end the server, as `line: code`. */
export const unguarded = (file: string, source: string): string[] => {
  const { program } = parseSync(file, source)
  const [safe, ofNode, ofAsync] = [safeNames(program), importsOfNode(program), asyncNames(program)]
  const found: string[] = []
  const note = ({ start, end }: ESTree.Node) => {
    const line = source.slice(0, start).split('\n').length
    found.push(`${line}: ${source.slice(start, end).split('\n')[0] ?? ''}`)
  }
  const requireSafe = (node: ESTree.Node | undefined) => {
    if (node !== undefined && !isSafe(node, safe)) note(node)
  }
  new Visitor({
    CallExpression: ({ callee, arguments: given }) => {
      const name = nameOf(callee)
      const isMethod = callee.type === 'MemberExpression'
      if (isMethod && subscriptions.has(name)) requireSafe(given[1])
      else if (schedulers.has(name)) requireSafe(isMethod && name === 'setTimeout' ? given[1] : given[0])
      else if ((!isMethod && ofNode.has(name)) || (isMethod && finishers.has(name)))
        for (const each of given.filter(isFunction)) requireSafe(each)
    },
    NewExpression: ({ callee, arguments: [options] }) => {
      if (!streams.has(nameOf(callee)) || options?.type !== 'ObjectExpression') return
      for (const each of options.properties) {
        if (each.type !== 'Property' || each.value.type !== 'FunctionExpression') continue
        const body = each.value.body?.body ?? []
        if (body.some(({ type }) => type !== 'TryStatement')) note(each)
      }
    },
    UnaryExpression: (node) => {
      if (
        node.operator === 'void' &&
        !isCaught(node.argument) &&
        (isChain(node.argument) || isCallOf(node.argument, ofAsync))
      )
        note(node)
    },
    ExpressionStatement: ({ expression }) => {
      if (isChain(expression) ? !isCaught(expression) : isCallOf(expression, ofAsync)) note(expression)
    },
  }).visit(program)
  return found
}

const isCallOf = (node: ESTree.Node, names: Set<string>): boolean =>
  node.type === 'CallExpression' && node.callee.type === 'Identifier' && names.has(node.callee.name)
