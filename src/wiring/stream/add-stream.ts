import { fromPromise } from 'xstate'
import { createStream, getFirstStreams, getNodes } from '../../api/resources/stream-administration.ts'
import { addStreamMachine } from '../../machines/stream-pages/add-stream.machine.ts'
import { batchMachine } from '../../machines/stream-pages/batch.machine.ts'
import { nodesMachine } from '../../machines/stream-pages/nodes.machine.ts'
import { withFieldErrors, newStreamForm } from '../../machines/stream-pages/stream-form.ts'
import { streamDraftOf } from '../../machines/stream-pages/stream-values.ts'
import { AddStreamPage } from '../../views/add-stream/AddStreamPage.tsx'
import { keepDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { definePage } from '../page.ts'
import { probing } from './stream-page.ts'

export const page = definePage({
  logic: addStreamMachine.provide({
    actors: {
      form: newStreamForm.provide({
        actors: {
          submit: fromPromise(async ({ input: { values }, signal }) =>
            withFieldErrors(await createStream(streamDraftOf(values), signal)),
          ),
          watchLeaving,
          keepDraft,
        },
      }),
      probing,
      nodes: nodesMachine.provide({ actors: { fetchNodes: fromPromise(({ signal }) => getNodes(signal)) } }),
      batch: batchMachine.provide({
        actors: { create: fromPromise(({ input, signal }) => createStream(streamDraftOf(input.values), signal)) },
      }),
      countStreams: fromPromise(({ signal }) => getFirstStreams(signal)),
    },
  }),
  View: AddStreamPage,
})
