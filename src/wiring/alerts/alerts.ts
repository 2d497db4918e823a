import { fromPromise } from 'xstate'
import { subscribeToPush } from '../../api/browser/service-worker.ts'
import {
  addAlert,
  changeAlert,
  getAlertDeliveries,
  getAlerts,
  removeAlert,
  testAlert,
} from '../../api/resources/alerts.ts'
import { getMqttDeliveries, testMqtt } from '../../api/resources/mqtt.ts'
import { newAlertOf, alertFormMachine, alertPatch } from '../../machines/alerts/alert-values.ts'
import { alertListMachine, alertsMachine, deliveriesMachine } from '../../machines/alerts/alerts.machine.ts'
import { mqttDeliveriesMachine, mqttMachine } from '../../machines/alerts/mqtt.machine.ts'
import { camerasMachine } from '../../machines/streams/cameras.machine.ts'
import { AlertsPage } from '../../views/alerts/AlertsPage.tsx'
import { definePage } from '../page.ts'
import { allCameras } from '../shared/all-cameras.ts'
import { watchLeaving } from '../shared/leaving.ts'
import { visibility } from '../shared/visibility.ts'

export const page = definePage({
  logic: alertsMachine.provide({
    actors: {
      list: alertListMachine.provide({
        actors: {
          fetchResource: fromPromise(({ signal }) => getAlerts(signal)),
          perform: fromPromise(({ input: { command }, signal }) => removeAlert(command.id, signal)),
          visibility,
        },
      }),
      cameras: camerasMachine.provide({
        actors: { fetchResource: fromPromise(({ signal }) => allCameras(signal)), visibility },
      }),
      deliveries: deliveriesMachine.provide({
        actors: {
          fetchResource: fromPromise(({ input, signal }) => getAlertDeliveries(input.query, signal)),
          visibility,
        },
      }),
      mqtt: mqttMachine.provide({
        actors: {
          list: mqttDeliveriesMachine.provide({
            actors: {
              fetchResource: fromPromise(({ input, signal }) => getMqttDeliveries(input.query, signal)),
              visibility,
            },
          }),
          testMqtt: fromPromise(({ signal }) => testMqtt(signal)),
        },
      }),
      form: alertFormMachine.provide({
        actors: {
          submit: fromPromise(({ input: { values, saved }, signal }) =>
            values.id === ''
              ? addAlert(newAlertOf(values), signal)
              : changeAlert(values.id, alertPatch(values, saved), signal),
          ),
          watchLeaving,
        },
      }),
      subscribe: fromPromise(({ input }) => subscribeToPush(input.key)),
      testAlert: fromPromise(({ input, signal }) => testAlert(input.id, signal)),
    },
  }),
  View: AlertsPage,
})
