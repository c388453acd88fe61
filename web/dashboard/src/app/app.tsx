import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { LucideProvider } from 'lucide-react'
import { queryClient } from './query-client.js'
import { router } from './router.js'
import { styleNonce } from './style-nonce.js'
import { readableColors, theme } from './theme.js'

export const App = () => (
  <MantineProvider
    theme={theme}
    cssVariablesResolver={readableColors}
    defaultColorScheme="auto"
    getStyleNonce={() => styleNonce}
  >
    <QueryClientProvider client={queryClient}>
      <LucideProvider size={16}>
        <RouterProvider router={router} />
      </LucideProvider>
    </QueryClientProvider>
  </MantineProvider>
)
