import { once } from 'node:events'
import { createServer } from 'node:http'
import { createOnvifControl, type OnvifControl } from '../../tests/fixtures/onvif-control.ts'
import { createOnvifDevice } from '../../tests/fixtures/onvif-device.ts'

interface ControlledCamera {
  /** Of the device service. */
  readonly url: string
  readonly control: OnvifControl
  stop(): void
}

/** An ONVIF camera on this machine that turns and sends events. */
export async function startControlledCamera(): Promise<ControlledCamera> {
  const control = createOnvifControl()
  const server = createServer(createOnvifDevice({ control }).listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}/onvif/device_service`,
    control,
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
