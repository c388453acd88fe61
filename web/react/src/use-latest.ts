import { type RefObject, useInsertionEffect, useRef } from 'react'

/** A ref to the value of the last render, for callbacks that outlive a render. */
export const useLatest = <Value>(value: Value): RefObject<Value> => {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
