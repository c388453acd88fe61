import { appendFile } from 'node:fs/promises'
import protobuf from 'protobufjs'
import type { OnnxMetadata } from '../onnx/onnx-metadata.js'

/** The part of ONNX's schema with the metadata of a model. */
const schema = protobuf.parse(
  `syntax = "proto2";
  package onnx;
  message StringStringEntryProto { optional string key = 1; optional string value = 2; }
  message ModelProto { repeated StringStringEntryProto metadata_props = 14; }`,
)
const modelProto = schema.root.lookupType('onnx.ModelProto')

/**
 * Adds metadata to an ONNX file without reading the rest. By the definition of Protocol Buffers, two consecutive messages
 * are one message whose repeated fields have the elements of both, and readers take the last value of a key.
 */
export const appendOnnxMetadata = async (path: string, metadata: OnnxMetadata): Promise<void> => {
  const metadataProps = Object.entries(metadata).map(([key, value]) => ({ key, value }))
  if (metadataProps.length === 0) return
  await appendFile(path, modelProto.encode(modelProto.create({ metadataProps })).finish())
}
