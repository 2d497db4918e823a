import { guarded } from '../guarded.ts'
import type { App } from '../http/fastify.ts'
import { ignoreDiskErrors } from '../store/background-writes.ts'
import type { Store } from '../store/store.ts'
import type { Revocation } from './revocation.ts'

const checkEveryMs = 1000

/**
 * Notices within a second that another process wrote to the database, as commands do that set a password, and checks
 * the responses in progress again.
 */
export const watchExternalChanges = async (
  app: App,
  { checkOutsideWrites }: Store,
  revocation: Revocation,
): Promise<void> => {
  if (checkOutsideWrites === undefined) return
  await checkOutsideWrites()
  let isBusy = false
  const check = async (): Promise<void> => {
    if (isBusy) return
    isBusy = true
    await ignoreDiskErrors(async () => {
      if (await checkOutsideWrites()) await revocation.decideAgain()
    }).finally(() => {
      isBusy = false
    })
  }
  const timer = setInterval(guarded('access: external changes', check), checkEveryMs).unref()
  app.addHook('onClose', () => clearInterval(timer))
}
