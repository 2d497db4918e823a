import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mqttOf } from '../../../server/mqtt/options.ts'
import { attempt, mqttBroker } from './mqtt-broker.ts'
import { certified } from '../fixtures/tls.ts'

const given = {
  MQTT_TOPIC: undefined,
  MQTT_SECRET: undefined,
  MQTT_CA: undefined,
  MQTT_CERT: undefined,
  MQTT_KEY: undefined,
}

test('a certificate is accepted only from a known authority, and for the name that was asked', async () => {
  const { tls, ca } = certified()
  const { options } = await mqttBroker(0, { cert: tls.cert, key: tls.key })
  expect(await attempt({ ...options, ca: ca.toString() })).toBe('connected')
  expect(await attempt(options)).toBe('CERTIFICATE_REFUSED')
  expect(await attempt({ ...options, ca: certified('other').ca.toString() })).toBe('CERTIFICATE_REFUSED')
  const other = certified('broker.example')
  const named = await mqttBroker(0, { cert: other.tls.cert, key: other.tls.key })
  const ofOther = { ...named.options, host: 'localhost', ca: other.ca.toString() }
  expect(await attempt(ofOther)).toBe('CERTIFICATE_NAME')
})

test('a broker that asks for a certificate gets that of MQTT_CERT', async () => {
  const [{ tls, ca }, own] = [certified(), certified('sightline')]
  const { options } = await mqttBroker(0, { cert: tls.cert, key: tls.key, ca: [own.ca], requestCert: true })
  const known = { ...options, ca: ca.toString() }
  expect(await attempt(known)).toBe('CLIENT_CERTIFICATE_REFUSED')
  const certificate = { cert: own.tls.cert.toString(), key: own.tls.key.toString() }
  expect(await attempt({ ...known, certificate })).toBe('connected')
})

test('renewed files are used by the next connection, once key and certificate fit each other', async () => {
  const [of, own, earlier] = [certified(), certified('sightline'), certified('earlier')]
  const { options } = await mqttBroker(0, { cert: of.tls.cert, key: of.tls.key, ca: [own.ca], requestCert: true })
  const { cert, key } = earlier.files
  const MQTT_URL = 'mqtts://broker.example'
  const read = mqttOf({ ...given, MQTT_URL, MQTT_CA: of.files.cert, MQTT_CERT: cert, MQTT_KEY: key })
  const known = { ...read, ...options }
  expect(await attempt(known)).toBe('CONNECTION_LOST')
  copyFileSync(own.files.cert, cert)
  expect(await attempt(known)).toBe('CONNECTION_LOST')
  copyFileSync(own.files.key, key)
  expect(await attempt(known)).toBe('connected')
})

test('no TLS at the port, and nothing there', async () => {
  const { options, close } = await mqttBroker()
  expect(await attempt({ ...options, isSecure: true })).toBe('CONNECTION_LOST')
  await close()
  expect(await attempt(options)).toBe('EHOSTUNREACH')
})

test('the options name files with certificates and the key', () => {
  const { folder, files, ca } = certified()
  const MQTT_URL = 'mqtts://broker.example'
  const own = { MQTT_CERT: files.cert, MQTT_KEY: files.key }
  const { cert = '', key = '' } = mqttOf({ ...given, MQTT_URL, ...own })?.certificate ?? {}
  expect([cert, key.includes('PRIVATE KEY')]).toEqual([ca.toString(), true])
  expect(mqttOf({ ...given, MQTT_URL, MQTT_CA: files.cert })?.ca).toBe(ca.toString())
  const other = certified('other').files.key
  const empty = join(folder, 'empty')
  writeFileSync(empty, '')
  const wrong = [
    [{ MQTT_CA: join(folder, 'none') }, `MQTT_CA: there is no file ${join(folder, 'none')}`],
    [{ MQTT_CA: folder }, `MQTT_CA: ${folder} can't be read`],
    [{ MQTT_CA: files.key }, 'MQTT_CA takes a file with certificates (PEM)'],
    [{ MQTT_CA: empty }, 'MQTT_CA takes a file with certificates (PEM)'],
    [{ ...own, MQTT_KEY: empty }, 'MQTT_KEY takes a file with the key of MQTT_CERT (PEM)'],
    [{ MQTT_CERT: files.cert }, 'MQTT_CERT and MQTT_KEY must be set together'],
    [{ ...own, MQTT_KEY: other }, 'MQTT_KEY takes a file with the key of MQTT_CERT (PEM)'],
    [{ MQTT_URL: 'mqtt://a', MQTT_CA: files.cert }, 'MQTT_CA and MQTT_CERT need an MQTT_URL that begins with mqtts:'],
    [{ MQTT_URL: undefined, MQTT_CA: files.cert }, 'MQTT_CA needs MQTT_URL'],
  ] as const
  for (const [change, message] of wrong) expect(() => mqttOf({ ...given, MQTT_URL, ...change })).toThrow(message)
})
