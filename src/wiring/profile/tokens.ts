import { fromPromise } from 'xstate'
import { copyText } from '../../api/browser/clipboard.ts'
import { createToken, deleteToken, getTokens } from '../../api/resources/tokens.ts'
import { ensureTemporal } from '../../machines/temporal.ts'
import { expireTimeOf } from '../../machines/tokens/expiry.ts'
import { tokenFormMachine, tokensMachine } from '../../machines/tokens/tokens.machine.ts'
import { TokensPage } from '../../views/tokens/TokensPage.tsx'
import { watchLeaving } from '../shared/leaving.ts'
import { browserZone } from '../shared/zone.ts'
import { definePage } from '../page.ts'

export const page = definePage({
  logic: tokensMachine.provide({
    actors: {
      form: tokenFormMachine.provide({
        actors: {
          submit: fromPromise(async ({ input: { values }, signal }) => {
            await ensureTemporal()
            const expireTime = expireTimeOf(values.expireTime, values.date, Date.now(), browserZone())
            return createToken({ name: values.name.trim(), expireTime }, signal)
          }),
          watchLeaving,
        },
      }),
      fetchTokens: fromPromise(async ({ signal }) => ({ reply: await getTokens(signal), at: Date.now() })),
      deleteToken: fromPromise(({ input, signal }) => deleteToken(input.id, signal)),
      copy: fromPromise(({ input }) => copyText(input.text)),
    },
  }),
  View: TokensPage,
})
