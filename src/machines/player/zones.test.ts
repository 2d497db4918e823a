import { expect, test } from 'vitest'
import { zoneFor } from './zones.ts'

const zones = { browser: 'Europe/Berlin', server: 'Asia/Tokyo' }

test("the chosen zone, and the browser's if the choice is invalid", () => {
  expect(
    ['browser', 'server', 'UTC', 'Australia/Lord_Howe', 'Nowhere/Else', ''].map((choice) => zoneFor(choice, zones)),
  ).toEqual(['Europe/Berlin', 'Asia/Tokyo', 'UTC', 'Australia/Lord_Howe', 'Europe/Berlin', 'Europe/Berlin'])
  expect(zoneFor('server', { ...zones, server: null })).toBe('Europe/Berlin')
})
