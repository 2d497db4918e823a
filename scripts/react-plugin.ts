import type { Plugin } from 'vite'

interface Part {
  /** Functions that only this part reaches. */
  unreached: readonly string[]
  /** What React calls also without this part, with what it does then. */
  idle?: Readonly<Record<string, string>>
  /** What is assigned to these, or to a member of one that ends with a dot. */
  assigned?: readonly string[]
}

/** The parts of react-dom-client.production.js that the console doesn't use. */
const parts: Readonly<Record<string, Part>> = {
  viewTransitions: {
    unreached: [
      'startViewTransition',
      'applyViewTransitionToHostInstances',
      'createViewTransitionInstance',
      'getViewTransitionName',
      'getViewTransitionClassName',
      'scheduleViewTransitionEvent',
      'measureViewTransitionHostInstancesRecursive',
      'commitAfterMutationEffectsOnFiber',
    ],
    idle: {
      commitEnterViewTransitions: '',
      commitExitViewTransitions: '',
      commitNestedViewTransitions: '',
      measureNestedViewTransitions: '',
      trackEnterViewTransitions: '',
      restoreEnterOrExitViewTransitions: '',
      restoreNestedViewTransitions: '',
      restoreViewTransitionOnHostInstances: '',
    },
  },
  /** Style sheets, scripts and `<title>` that components render into the head. */
  resources: {
    unreached: [
      'getResource',
      'acquireResource',
      'preloadResource',
      'getHydratableHoistableCache',
      'suspendResource',
      'preload',
      'preloadModule',
      'preinitScript',
      'preinitStyle',
      'preinitModuleScript',
      'preconnectAs',
      'mountHoistable',
      'insertStylesheetIntoRoot',
    ],
    idle: { isHostHoistableType: 'return false' },
  },
  /** A page from the server of which parts are rendered later; the sign-in page is adopted in one task. */
  dehydratedBoundaries: {
    unreached: [
      'updateDehydratedSuspenseComponent',
      'hideOrUnhideDehydratedBoundary',
      'attemptExplicitHydrationTarget',
    ],
    idle: { queueIfContinuousEvent: 'return false', clearIfContinuousEvent: '', retryIfBlockedOn: '' },
    assigned: ['ReactDOMHydrationRoot.prototype.unstable_scheduleHydration'],
  },
  /** Forms whose `action` is a function, and transitions. */
  actions: {
    unreached: [
      'mountActionState',
      'updateActionStateImpl',
      'rerenderActionState',
      'dispatchActionState',
      'startHostTransition',
      'requestFormReset$1',
      'startTransition',
      'dispatchOptimisticSetState',
    ],
    idle: { extractEvents$1: '', defaultOnDefaultTransitionIndicator: '' },
  },
  /** `<SuspenseList>` and `<Activity>`. */
  lists: {
    unreached: ['updateSuspenseListComponent', 'cutOffTailIfNeeded', 'findFirstSuspended', 'updateActivityComponent'],
  },
  fragmentRefs: {
    unreached: ['FragmentInstance'],
    idle: {
      commitNewChildToFragmentInstances: '',
      commitFragmentInstanceInsertionEffects: '',
      commitFragmentInstanceDeletionEffects: '',
      isFragmentInstanceParent: 'return false',
    },
    assigned: ['FragmentInstance.prototype.'],
  },
  /** Names of components for messages, and `findDOMNode`. */
  debugging: {
    unreached: [],
    idle: { describeFiber: "return ''", getComponentNameFromType: 'return null' },
    assigned: ['ReactDOMSharedInternals.findDOMNode'],
  },
}

/** Of react-dom.production.js. */
const preloading = ['preconnect', 'prefetchDNS', 'preinit', 'preinitModule', 'preload', 'preloadModule']

const leftOut = `
function leftOut() { throw Error('scripts/react-plugin.ts leaves this part of React out') }`

interface Edit {
  start: number
  end: number
  text: string
}

const edited = (code: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, text: by }) => text.slice(0, start) + by + text.slice(end), code) + leftOut

/**
 * Leaves out of a build the parts of React that the console doesn't use, a fifth of react-dom: a function that only
 * they reach throws, and the minifier drops what nobody calls then. What isn't found, after an update of React, fails
 * the build.
 */
export function reactPlugin(): Plugin {
  return {
    name: 'react-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/react-dom\/cjs\/react-dom(?:-client)?\.production\.js$/ },
      handler(code, id) {
        const { body } = this.parse(code)
        const isClient = id.endsWith('client.production.js')
        const all = isClient ? Object.values(parts) : []
        const bodies = new Map(
          all.flatMap(({ unreached, idle = {} }) => [
            ...unreached.map((name) => [name, '{ leftOut() }'] as const),
            ...Object.entries(idle).map(([name, text]) => [name, `{ ${text} }`] as const),
          ]),
        )
        const dropped = isClient
          ? all.flatMap(({ assigned = [] }) => assigned)
          : preloading.map((name) => `exports.${name}`)
        const missing = new Set([...bodies.keys(), ...dropped])
        const edits: Edit[] = []
        for (const node of body) {
          if (node.type === 'FunctionDeclaration' && node.id !== null && node.body !== null) {
            const text = bodies.get(node.id.name)
            if (text === undefined) continue
            missing.delete(node.id.name)
            edits.push({ start: node.body.start, end: node.body.end, text })
          } else if (node.type === 'ExpressionStatement' && node.expression.type === 'AssignmentExpression') {
            const { left } = node.expression
            const to = code.slice(left.start, left.end)
            const name = dropped.find((one) => (one.endsWith('.') ? to.startsWith(one) : to === one))
            if (name === undefined) continue
            missing.delete(name)
            edits.push({ start: node.start, end: node.end, text: '' })
          }
        }
        if (missing.size > 0) this.error(`${id} has no ${[...missing].join(', ')}: update scripts/react-plugin.ts`)
        return { code: edited(code, edits), map: null }
      },
    },
  }
}
