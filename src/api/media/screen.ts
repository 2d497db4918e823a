/** Fills the screen with one element, and tells when it does and when it ceases to. */
export interface Screen {
  /** Takes the element; answers how to let it go. */
  attach(element: HTMLElement): () => void
  fill(): void
  leave(): void
  listen(onChange: (isFull: boolean) => void): () => void
}

export function createScreen(): Screen {
  let element: HTMLElement | null = null
  return {
    attach(taken) {
      element = taken
      return () => {
        if (element === taken) element = null
      }
    },
    fill() {
      element?.requestFullscreen().catch(() => undefined)
    },
    leave() {
      if (document.fullscreenElement !== null) document.exitFullscreen().catch(() => undefined)
    },
    listen(onChange) {
      const tell = () => onChange(element !== null && document.fullscreenElement === element)
      document.addEventListener('fullscreenchange', tell)
      return () => document.removeEventListener('fullscreenchange', tell)
    },
  }
}
