import { capabilitiesOf } from '../../api/media/capabilities.ts'

export const capabilities = capabilitiesOf(document, document.createElement('video'))
