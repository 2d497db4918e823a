import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach } from 'vitest'
import { patience } from '../fixtures/patience.ts'

/* What a test waits for may be code that is loaded first. */
configure({ asyncUtilTimeout: patience.timeout })

/* Nothing waits for what is loaded ahead, and jsdom is never idle. */
globalThis.requestIdleCallback = () => 0

/* @testing-library/react does this itself for the first file of a process alone. */
afterEach(cleanup)

/* Files of a process share the document: what still moves a lost focus in one file would move that of the next one. */
const framesOfFocus = 4
afterAll(async () => {
  if (!('requestAnimationFrame' in globalThis)) return
  for (let frame = 0; frame < framesOfFocus; frame += 1) await new Promise(requestAnimationFrame)
})
