import { cleanup, configure } from '@testing-library/react'
import { afterEach } from 'vitest'
import { patience } from '../fixtures/patience.ts'

/* What a test waits for may be code that is loaded first. */
configure({ asyncUtilTimeout: patience.timeout })

/* Nothing waits for what is loaded ahead, and jsdom is never idle. */
globalThis.requestIdleCallback = () => 0

/* @testing-library/react does this itself for the first file of a process alone. */
afterEach(cleanup)
