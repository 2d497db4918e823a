import { cleanup } from '@testing-library/react'
import { afterEach } from 'vitest'

/* @testing-library/react does this itself for the first file of a process alone. */
afterEach(cleanup)
