import { stat } from 'node:fs/promises'
import { Server } from 'node:tls'
import { guarded } from '../guarded.ts'
import type { App } from './fastify.ts'
import type { Hosts } from './hosts.ts'
import { readTls, type Tls } from './tls.ts'

const checkEveryMs = 2000

/** Changes with the content, and with the owner and the mode, which may let the server read the file only later. */
const stampOf = async (file: string): Promise<string> => {
  const found = await stat(file).catch(() => undefined)
  return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.ctimeMs}`
}

/**
 * Uses a renewed certificate within seconds, for new connections. A key that doesn't match the certificate, as while
 * the files are being written, changes nothing.
 */
export const followRenewals = (app: App, { files, ...given }: Tls, hosts: Hosts): void => {
  let inUse: Pick<Tls, 'cert' | 'key'> = given
  let lastStamp: string | undefined
  const check = async (): Promise<void> => {
    const stamp = (await Promise.all([files.cert, files.key].map(stampOf))).join()
    if (lastStamp === stamp) return
    lastStamp = stamp
    try {
      const renewed = readTls(files.cert, files.key)
      if (renewed.cert.equals(inUse.cert) && renewed.key.equals(inUse.key)) return
      const server: unknown = app.server
      if (server instanceof Server) server.setSecureContext({ cert: renewed.cert, key: renewed.key })
      hosts.useCertificate(renewed)
      inUse = renewed
      app.log.info('the renewed certificate is in use')
    } catch (error) {
      app.log.warn(`${error instanceof Error ? error.message : String(error)}: the certificate in use stays`)
    }
  }
  const watch = guarded('tls: renewal', check)
  watch()
  const timer = setInterval(watch, checkEveryMs).unref()
  app.addHook('onClose', () => clearInterval(timer))
}
