import type { ReactNode } from 'react'

const icon = (shapes: ReactNode) => (
  <svg viewBox="0 0 24 24" aria-hidden="true" className="parlance-icon">
    {shapes}
  </svg>
)

export const microphoneIcon = icon(
  <>
    <rect x="9" y="3" width="6" height="11" rx="3" />
    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3" />
  </>,
)
export const mutedIcon = icon(
  <>
    <rect x="9" y="3" width="6" height="11" rx="3" />
    <path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M4 3.5l16 17" />
  </>,
)
export const sendIcon = icon(<path d="M12 19.5v-15M5.5 11 12 4.5 18.5 11" />)
export const hangUpIcon = icon(
  <path d="M2.8 14.2c5.1-5.3 13.3-5.3 18.4 0l-2.3 2.9-3.7-1.7v-2.7a11 11 0 0 0-6.4 0v2.7l-3.7 1.7z" />,
)
export const devicesIcon = icon(
  <>
    <path d="M3.5 7.5H12M18 7.5h2.5M3.5 16.5H6M12 16.5h8.5" />
    <circle cx="15" cy="7.5" r="2.75" />
    <circle cx="9" cy="16.5" r="2.75" />
  </>,
)
