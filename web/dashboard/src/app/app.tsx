import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { setNonce } from 'get-nonce'
import { LucideProvider } from 'lucide-react'
import { queryClient } from './query-client.js'
import { router } from './router.js'
import { readableColors, theme } from './theme.js'

/** The nonce of this response of the server. Only style elements that have it are applied. */
const styleNonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''

// The library that stops the page behind a dialog from scrolling reads it from here.
setNonce(styleNonce)

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
