export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect x="1.5" y="1.5" width="21" height="21" rx="6" fill="var(--accent-strong)" />
      <path
        d="M4.5 12c2-3.4 4.6-5.1 7.5-5.1s5.5 1.7 7.5 5.1c-2 3.4-4.6 5.1-7.5 5.1S6.5 15.4 4.5 12Z"
        stroke="#fff"
        strokeWidth="1.5"
      />
      <circle cx="12" cy="12" r="2.6" fill="#fff" />
    </svg>
  )
}
