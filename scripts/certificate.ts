import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Makes a self-signed certificate of this machine and its key, for trials, by OpenSSL; returns their files. */
export const makeCertificate = (folder: string, name = 'localhost'): { cert: string; key: string } => {
  mkdirSync(folder, { recursive: true })
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  const { status, error, stderr } = spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '30',
    '-subj',
    `/CN=${name}`,
    '-addext',
    `subjectAltName=DNS:${name},IP:127.0.0.1`,
    '-keyout',
    key,
    '-out',
    cert,
  ])
  if (error !== undefined) throw new Error('openssl is missing: install it (Debian: apt-get install openssl)')
  if (status !== 0) throw new Error(stderr.toString())
  return { cert, key }
}

/** `npm run certificate -- FOLDER` */
if (import.meta.main) {
  const { cert, key } = makeCertificate(resolve(process.argv[2] ?? 'data/tls'))
  process.stdout.write(`TLS_CERT=${cert} TLS_KEY=${key}\n`)
}
