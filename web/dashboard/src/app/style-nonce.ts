import { setNonce } from 'get-nonce'

/** The nonce of this response of the server. Only style elements that have it are applied. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? ''

// The library that stops the page behind a dialog from scrolling reads it from here.
setNonce(styleNonce)
