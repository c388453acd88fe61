// The choice of the dashboard's menu, which the component library of its pages keeps.
const chosen = localStorage.getItem('mantine-color-scheme-value')
const dark = matchMedia('(prefers-color-scheme: dark)')
const setScheme = () => {
  const isDark = chosen === 'dark' || (chosen !== 'light' && dark.matches)
  const { classList, dataset } = document.documentElement
  classList.toggle('dark-mode', isDark)
  dataset.mantineColorScheme = isDark ? 'dark' : 'light'
}
setScheme()
dark.addEventListener('change', setScheme)

/** Plays the speech that was answered, since Swagger UI's own player would ask for the URL again, without body and key. */
const adaptedParts = ({ React: { createElement, useEffect, useMemo } }) => {
  const SpokenAnswer = ({ audio }) => {
    const url = useMemo(() => URL.createObjectURL(audio), [audio])
    useEffect(() => () => URL.revokeObjectURL(url), [url])
    return createElement(
      'div',
      { className: 'spoken-answer' },
      createElement('audio', { src: url, controls: true }),
      createElement('a', { href: url, download: 'speech' }, 'Download'),
    )
  }
  const isSpeech = ({ content, contentType }) => content instanceof Blob && /^audio\//.test(contentType)
  const responseBody = (Original) => (props) =>
    isSpeech(props) ? createElement(SpokenAnswer, { audio: props.content }) : createElement(Original, props)
  // The path of an operation is in the button that opens it, where a link would be a control in a control.
  const DeepLink =
    () =>
    ({ text }) =>
      createElement('span', null, text)
  return { wrapComponents: { responseBody, DeepLink } }
}

window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  plugins: [adaptedParts],
  // Neither a key nor a document leaves for anywhere: no validator on the net, no key kept in the browser.
  validatorUrl: null,
  persistAuthorization: false,
})
