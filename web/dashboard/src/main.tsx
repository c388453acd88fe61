import '@fontsource-variable/inter'
import '@mantine/core/styles.css'
import '@mantine/spotlight/styles.css'
import './app/page.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { isErrorBody } from './api/problem.js'
import { App } from './app/app.js'

/** What the API refused is shown in place of the page, and is no fault of the page. */
const onCaughtError = (error: unknown): void => {
  if (!isErrorBody(error)) console.error(error)
}

createRoot(document.getElementById('root')!, { onCaughtError }).render(
  <StrictMode>
    <App />
  </StrictMode>,
)
