export function Logo({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect x="1.5" y="1.5" width="21" height="21" rx="6" fill="var(--accent-strong)" />
      <path
        d="M4.5 12c2-3.4 4.6-5.1 7.5-5.1s5.5 1.7 7.500 5.100c-2 3.400-4.600 5.100-7.500 5.100S6.500 15.400 4.500 12Z"
        stroke="#fff"
        strokeWidth="1.5"
      />
      <circle cx="12" cy="12" r="2.600" fill="#fff" />
    </svg>
  )
}
