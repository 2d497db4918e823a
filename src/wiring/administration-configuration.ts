import { fromPromise } from 'xstate'
import { getServerConfiguration, putServerConfiguration } from '../api/resources/administration.ts'
import { configurationFormMachine, configurationMachine, nest } from '../machines/administration/configuration.machine.ts'
import { ConfigurationPage } from '../views/administration/ConfigurationPage.tsx'
import { watchLeaving } from './leaving.ts'
import { definePage } from './page.ts'

export const page = definePage({
  logic: configurationMachine.provide({
    actors: {
      fetchConfiguration: fromPromise(({ signal }) => getServerConfiguration(signal)),
      form: configurationFormMachine.provide({
        actors: { submit: fromPromise(({ input, signal }) => putServerConfiguration(nest(input.values), signal)), watchLeaving },
      }),
    },
  }),
  View: ConfigurationPage,
})
