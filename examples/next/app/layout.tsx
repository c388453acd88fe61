import type { ReactNode } from 'react'
import '@parlance/react/styles.css'

export const metadata = { title: 'Talk with an Agent', icons: 'data:,' }

const Layout = ({ children }: { children: ReactNode }) => (
  <html lang="en" style={{ colorScheme: 'light dark' }}>
    <body style={{ margin: 0, fontFamily: 'system-ui, sans-serif' }}>{children}</body>
  </html>
)
export default Layout
