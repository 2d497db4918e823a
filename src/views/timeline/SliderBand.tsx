import type { KeyboardEventHandler, ReactNode, Ref } from 'react'

interface SliderBandProps {
  ref: Ref<HTMLDivElement>
  label: string
  className: string | undefined
  isSelecting?: boolean
  onKeyDown: KeyboardEventHandler
  children: ReactNode
}

/** A band of time as a slider; what draws the band sets the slider's values. */
export function SliderBand({ ref, label, className, isSelecting = false, onKeyDown, children }: SliderBandProps) {
  return (
    <div
      ref={ref}
      className={className}
      role="slider"
      tabIndex={0}
      data-selecting={isSelecting || undefined}
      aria-label={label}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={0}
      aria-valuenow={0}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>
  )
}
