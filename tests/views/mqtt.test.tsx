// @vitest-environment jsdom
import { within } from '@testing-library/react'
import { settings } from '../fixtures/fake-server.ts'
import { expect, part, press, test, textsOf, until } from './console.tsx'

test('what goes to the MQTT broker is listed with its connection, and tested', async ({ server, visit }) => {
  server.answer('GET /v1/system/internal/ui/settings', { json: { ...settings, features: ['alerts', 'mqtt'] } })
  server.answer('GET /v1/alerts', { json: { items: [] } })
  const sent = { nodeId: 'n1', createTime: '2026-11-21T03:00:00Z', attempts: 1, status: 'sent' }
  const items = [
    { ...sent, id: 'm1', topic: 'site/stream/gate/event', payload: '{"label":"car"}' },
    { ...sent, id: 'm2', topic: 'site/stream/gate/status', payload: '', retained: true },
    {
      ...sent,
      id: 'm3',
      topic: 'site/faults',
      payload: '{}',
      retained: true,
      status: 'failed',
      failureReason: 'REPLACED',
    },
    {
      ...sent,
      id: 'm4',
      topic: 'site/status',
      payload: 'online',
      attempts: 2,
      status: 'waiting',
      failureReason: 'LOGIN_REFUSED',
    },
  ]
  let connection: object = { address: 'mqtts://broker:8883', connected: true, time: '2026-11-21T02:00:00Z' }
  server.answer('GET /v1/mqtt-deliveries', () => ({ json: { items, page: 1, pageSize: 50, total: 60, connection } }))
  await visit('/ui/administration/alerts')
  const panel = await part('region', 'MQTT')
  await panel.findByText(/^Connected to mqtts:\/\/broker:8883 since /)
  const rows = await panel.findAllByRole('row')
  expect(rows.slice(1).map((row) => textsOf(within(row).getAllByRole('cell')).slice(1))).toEqual([
    ['site/stream/gate/event', '{"label":"car"}', '1', 'Sent'],
    ['site/stream/gate/status', 'Removed', '1', 'Sent'],
    ['site/faults', '{} retained', '1', 'Failed: a newer state was published instead'],
    ['site/status', 'online', '2', 'Waiting: the broker rejects the login or password'],
  ])
  connection = { ...connection, connected: false, failureReason: 'CERTIFICATE_NAME' }
  server.answer('POST /v1/mqtt/test', { json: { topic: 'site/test', sent: false, failureReason: 'CERTIFICATE_NAME' } })
  await press('button', 'Send a test by MQTT', panel)
  await panel.findByText('Not sent: the certificate is for another name')
  await panel.findByText(/^Not connected to mqtts:\/\/broker:8883 since .*: the certificate is for another name\./)
  server.answer('POST /v1/mqtt/test', { json: { topic: 'site/test', sent: true } })
  await press('button', 'Send a test by MQTT', panel)
  await panel.findByText('The broker received the test: site/test')
  await press('button', 'Older', panel)
  await until(() => expect(server.calls).toContain('GET /v1/mqtt-deliveries?page=2'))
})
