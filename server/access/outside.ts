import { guarded } from '../guarded.ts'
import type { App } from '../http/fastify.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import type { Store } from '../store/store.ts'
import type { Revocation } from './revocation.ts'

const everyMs = 1000

/** Sees within a second what a command of this machine has written, such as another password, and acts by it. */
export const watchOutside = async (app: App, { checkOutsideWrites }: Store, revocation: Revocation): Promise<void> => {
  if (checkOutsideWrites === undefined) return
  await checkOutsideWrites()
  let isBusy = false
  const look = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    await ignoreDiskErrors(async () => {
      if (await checkOutsideWrites()) await revocation.decideAgain()
    }).finally(() => {
      isBusy = false
    })
  }
  const timer = setInterval(guarded('access: outside', look), everyMs).unref()
  app.addHook('onClose', () => clearInterval(timer))
}
