import { abilitiesOf } from '../../api/media/abilities.ts'

export const abilities = abilitiesOf(document, document.createElement('video'))
