import { getCACertificates } from 'node:tls'
import { buildConnector } from 'undici'
import { readAuthority, type ClusterOptions } from './options.ts'

const connectMs = 3000

const connectorWith = (ca: string | undefined): buildConnector.connector =>
  buildConnector({
    allowH2: false,
    timeout: connectMs,
    ...(ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }),
  })

/**
 * Connects to other nodes. A certificate that signs itself is renewed in the file of `CLUSTER_CA`, too, so a connection
 * trusts what that has now; while it can't be used, as it is being written, what it had before.
 */
export const createConnector = ({
  ca: atStart,
  caFile,
}: Pick<ClusterOptions, 'ca' | 'caFile'>): buildConnector.connector => {
  let [ca, connect] = [atStart, connectorWith(atStart)]
  const renewed = (): string | undefined => {
    try {
      return caFile === undefined ? ca : readAuthority(caFile)
    } catch {
      return ca
    }
  }
  return (options, done) => {
    const latest = renewed()
    if (latest !== ca) [ca, connect] = [latest, connectorWith(latest)]
    connect(options, done)
  }
}
