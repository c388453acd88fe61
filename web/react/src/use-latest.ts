import { type RefObject, useInsertionEffect, useRef } from 'react'

/** What was given last, for what is called later: it needs no new subscription when it changes. */
export const useLatest = <Value>(value: Value): RefObject<Value> => {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
