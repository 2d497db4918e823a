import type { Mask } from '../../api/contract/masks.ts'
import type { Capabilities } from '../../api/media/capabilities.ts'

/** `data-masks` of a `<video>`: its snapshots have them burned in (src/api/media/frames/picture.ts). */
export const maskData = (masks: readonly Mask[]): string | undefined =>
  masks.length === 0 ? undefined : JSON.stringify(masks)

/** Each poll of a stream decodes its masks again. */
export const haveSameMasks = (one: readonly Mask[], other: readonly Mask[]): boolean =>
  one === other || maskData(one) === maskData(other)

/** Without what shows the bare `<video>` outside the page, where no mask can lie over it. */
export const maskedCapabilities = (capabilities: Capabilities, masks: readonly Mask[]): Capabilities =>
  masks.length === 0
    ? capabilities
    : {
        ...capabilities,
        fullScreen: capabilities.fullScreen === 'video' ? 'none' : capabilities.fullScreen,
        hasPictureInPicture: false,
      }
