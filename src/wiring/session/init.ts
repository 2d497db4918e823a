import { fromPromise } from 'xstate'
import { unlock } from '../../api/resources/session.ts'
import { initFormMachine, initMachine } from '../../machines/session/init.machine.ts'
import { InitPage } from '../../views/init/InitPage.tsx'
import { definePage } from '../page.ts'

export const page = definePage({
  logic: initMachine.provide({
    actors: {
      form: initFormMachine.provide({
        actors: {
          submit: fromPromise(({ input: { values }, signal }) =>
            unlock(
              {
                login: values.login.trim(),
                password: values.password,
                email: values.email.trim(),
                ...(values.license.trim() === '' ? {} : { license: values.license.trim() }),
              },
              signal,
            ),
          ),
        },
      }),
    },
  }),
  View: InitPage,
})
