import type { Mask } from '../../api/contract/masks.ts'
import type { Capabilities } from '../../api/media/capabilities.ts'

/** For `data-masks` of a `<video>`, from which snapshots draw the masks (src/api/media/frames/picture.ts). */
export const maskData = (masks: readonly Mask[]): string | undefined =>
  masks.length === 0 ? undefined : JSON.stringify(masks)

/** Compares by value: each poll of a stream decodes its masks again. */
export const haveSameMasks = (one: readonly Mask[], other: readonly Mask[]): boolean =>
  one === other || maskData(one) === maskData(other)

/** Without picture-in-picture and full screen of the bare `<video>`: no mask can lie over it there. */
export const maskedCapabilities = (capabilities: Capabilities, masks: readonly Mask[]): Capabilities =>
  masks.length === 0
    ? capabilities
    : {
        ...capabilities,
        fullScreen: capabilities.fullScreen === 'video' ? 'none' : capabilities.fullScreen,
        hasPictureInPicture: false,
      }
