import type { KeyboardEventHandler, ReactNode, Ref } from 'react'

interface SliderBandProps {
  ref: Ref<HTMLDivElement>
  label: string
  className: string | undefined
  isSelecting?: boolean
  onKeyDown: KeyboardEventHandler
  children: ReactNode
}

/** A slider over time. The loop that draws the band sets its `aria-value` attributes. */
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
