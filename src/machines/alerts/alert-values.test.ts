import { describe, expect, test } from 'vitest'
import { Alert } from '../../api/contract/alerts.ts'
import { newAlertOf, alertPatch, alertValuesOf, blankAlert, validateAlert } from './alert-values.ts'

const hook = { kind: 'webhook', address: 'https://host/', secret: '***' }
const stored = Alert.parse({
  id: 'a1',
  name: 'Night',
  on: ['event'],
  labels: ['car', 'person'],
  quietMinutes: 5,
  to: [hook],
})

describe('what is sent', () => {
  test('of a new alert has no empty lists, and no secret unless one was typed', () => {
    const to = [
      { kind: 'mail', address: ' ann@example.org ', secret: 'left over', hasSecret: false },
      { kind: 'webhook', address: 'https://host/', secret: 'a secret of the hook', hasSecret: false },
    ]
    expect(newAlertOf({ ...blankAlert, name: ' Night ', quietMinutes: '', to })).toEqual({
      name: 'Night',
      on: ['stream.failed', 'stream.recovered'],
      quietMinutes: 0,
      to: [
        { kind: 'mail', address: 'ann@example.org' },
        { kind: 'webhook', address: 'https://host/', secret: 'a secret of the hook' },
      ],
    })
    expect(newAlertOf({ ...blankAlert, streams: ['c1'], labels: ' car,, person ' })).toMatchObject({
      streams: ['c1'],
      labels: ['car', 'person'],
    })
  })

  test('of a change has the changed fields, and keeps a hidden secret', () => {
    const saved = alertValuesOf(stored)
    expect(alertPatch(saved, saved)).toEqual({})
    expect(alertPatch({ ...saved, labels: '' }, saved)).toEqual({ labels: [] })
    const another = { kind: 'mail', address: 'ann@example.org', secret: '', hasSecret: false }
    expect(alertPatch({ ...saved, to: [...saved.to, another] }, saved)).toEqual({
      to: [hook, { kind: 'mail', address: 'ann@example.org' }],
    })
  })
})

test('a missing value is an error beside its field', () => {
  expect(validateAlert({ ...blankAlert, on: [], quietMinutes: '1.5' })).toEqual({
    name: 'required',
    on: 'required',
    quietMinutes: 'invalidNumber',
    'to.0.address': 'required',
  })
  expect(validateAlert({ ...blankAlert, name: 'x', to: [] })).toEqual({ to: 'required' })
  expect(validateAlert(alertValuesOf(stored))).toEqual({})
})
