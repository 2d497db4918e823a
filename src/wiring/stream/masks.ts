import { fromPromise } from 'xstate'
import { getUnmaskedPicture, saveMasks } from '../../api/resources/stream-administration.ts'
import { titles } from '../../i18n/titles.ts'
import { masksFormMachine, masksMachine } from '../../machines/masks/masks.machine.ts'
import { pictureMachine } from '../../machines/stream-pages/picture.machine.ts'
import { MasksPage } from '../../views/masks/MasksPage.tsx'
import { storeDraft } from '../shared/drafts.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { withBusyRetry } from '../shared/busy-retry.ts'
import { visibility } from '../shared/visibility.ts'
import { defineStreamPage } from './stream-page.ts'

export const page = defineStreamPage({
  content: masksMachine.provide({
    actors: {
      form: masksFormMachine.provide({
        actors: {
          submit: fromPromise(({ input: { values }, signal }) =>
            saveMasks(values.uid, { masks: [...values.masks] }, signal),
          ),
          watchLeaving,
          storeDraft,
        },
      }),
      picture: pictureMachine.provide({
        actors: {
          fetchPicture: fromPromise(({ input, signal }) =>
            withBusyRetry(() => getUnmaskedPicture(input.uid, signal), signal),
          ),
          visibility,
        },
      }),
    },
  }),
  title: titles.streamMasks,
  isForAdmins: true,
  View: MasksPage,
})
