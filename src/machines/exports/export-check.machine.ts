import { type ActorRefFrom, assertEvent, assign, fromCallback, setup, type SnapshotFrom } from 'xstate'
import type { ExportVerdict, VerifiedExport } from '../../api/export-file/verify-export.ts'

export type ExportCheckEvent =
  | { type: 'file.chosen'; name: string; file: Blob }
  | { type: 'key.changed'; key: string }
  | { type: 'check.progressed'; fraction: number }
  | { type: 'check.finished'; result: VerifiedExport }
  | { type: 'check.failed' }

interface Context {
  /** Of the file. */
  name: string
  /** The expected public key; null: this server's. */
  key: string | null
  /** From 0 to 1. */
  fraction: number
  result: VerifiedExport | null
}

/** Checks an exported file in the browser: reads its manifest, and verifies the checksums and the signature. */
export const exportCheckMachine = setup({
  types: { context: {} as Context, events: {} as ExportCheckEvent },
  actors: {
    /** Sends `check.progressed`, and at the end `check.finished` or `check.failed`. */
    check: fromCallback<ExportCheckEvent, { file: Blob }>(() => undefined),
  },
}).createMachine({
  id: 'exportCheck',
  context: { name: '', key: null, fraction: 0, result: null },
  initial: 'idle',
  on: {
    'file.chosen': {
      target: '.checking',
      reenter: true,
      actions: assign(({ event }) => ({ name: event.name, fraction: 0, result: null })),
    },
    'key.changed': { actions: assign(({ event }) => ({ key: event.key })) },
  },
  states: {
    idle: {},
    checking: {
      tags: 'busy',
      invoke: {
        id: 'check',
        src: 'check',
        input: ({ event }) => {
          assertEvent(event, 'file.chosen')
          return { file: event.file }
        },
      },
      on: {
        'check.progressed': { actions: assign(({ event }) => ({ fraction: event.fraction })) },
        'check.finished': { target: 'checked', actions: assign(({ event }) => ({ result: event.result })) },
        'check.failed': 'unreadable',
      },
    },
    checked: {},
    unreadable: { tags: 'error' },
  },
})

export type ExportCheckRef = ActorRefFrom<typeof exportCheckMachine>
type Snapshot = SnapshotFrom<typeof exportCheckMachine>

export const selectChecked = ({ context }: Snapshot) => context
export const selectIsChecking = (snapshot: Snapshot) => snapshot.matches('checking')
export const selectIsUnreadable = (snapshot: Snapshot) => snapshot.matches('unreadable')

/** A key without the white space and the `=` that a copy may have or lack. */
const bareKey = (key = ''): string => key.replace(/[\s=]+/g, '')

/** The verdict for the expected key; '' if no key is expected. */
export const verdictBy = ({ verdict, manifest }: VerifiedExport, key: string): ExportVerdict =>
  verdict === 'unchanged' && key !== '' && bareKey(manifest?.publicKey) !== bareKey(key) ? 'otherKey' : verdict
