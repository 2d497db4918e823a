import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { originUrlOf } from '../http/origin.ts'
import { UsageError } from '../usage-error.ts'

/** Who a server is in its cluster. */
export type ClusterOptions = {
  nodeId: string
  /** The origin by which the other nodes reach it. */
  url: string
  /** Known to the nodes alone. */
  secret: string
  /** Certificates (PEM) of authorities that are trusted besides the known ones. */
  ca?: string
  /** The file that `ca` was read from. */
  caFile?: string
}

type Given = {
  nodeId: string | undefined
  url: string | undefined
  secret: string | undefined
  caFile: string | undefined
  databaseUrl: string | undefined
  archiveUrl: string | undefined
}

const minSecretLength = 32

const originOf = (text: string): string => {
  const url = originUrlOf(text)
  if (url === undefined) {
    throw new UsageError(`NODE_URL takes an address like https://node-1.example:8443, not "${text}"`, 'NODE_URL')
  }
  return url.origin
}

/** Throws `UsageError` if the file has no certificate. */
export const readAuthority = (file: string): string => {
  try {
    const pem = readFileSync(file)
    // Throws if there is no certificate.
    const { fingerprint256 } = new X509Certificate(pem)
    return fingerprint256 === '' ? '' : pem.toString()
  } catch {
    throw new UsageError(`CLUSTER_CA takes a file with certificates (PEM), not "${file}"`, 'CLUSTER_CA')
  }
}

/** Undefined for one server alone. The secret isn't shown where it is wrong. */
export const clusterOptionsOf = (given: Given): ClusterOptions | undefined => {
  const { nodeId, url, secret, caFile, databaseUrl, archiveUrl } = given
  if (nodeId === undefined && url === undefined && secret === undefined) return undefined
  if (nodeId === undefined || url === undefined || secret === undefined) {
    throw new UsageError('NODE_ID, NODE_URL and CLUSTER_SECRET must be set together')
  }
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,59}$/.test(nodeId)) {
    throw new UsageError(`NODE_ID takes up to 60 letters, digits, ".", "_" and "-", not "${nodeId}"`, 'NODE_ID')
  }
  if (secret.length < minSecretLength) {
    throw new UsageError(`CLUSTER_SECRET takes at least ${minSecretLength} characters`)
  }
  if (databaseUrl === undefined) throw new UsageError('NODE_ID needs a shared database: DATABASE_URL=postgres://…')
  if (archiveUrl === undefined) throw new UsageError('NODE_ID needs a shared archive: ARCHIVE_URL=s3://…')
  return { nodeId, url: originOf(url), secret, ...(caFile === undefined ? {} : { ca: readAuthority(caFile), caFile }) }
}
