/**
 * Metrics whose meaning, labels and buckets OpenTelemetry's semantic conventions define. Prometheus reads them under names
 * without dots, with the unit at the end; OTLP sends them under the names of the conventions.
 */
export const semanticNames: Readonly<Record<string, { readonly name: string; readonly unit: string } | undefined>> = {
  http_server_request_duration_seconds: { name: 'http.server.request.duration', unit: 's' },
  gen_ai_client_operation_duration_seconds: { name: 'gen_ai.client.operation.duration', unit: 's' },
  gen_ai_client_operation_time_to_first_chunk_seconds: {
    name: 'gen_ai.client.operation.time_to_first_chunk',
    unit: 's',
  },
  db_client_operation_duration_seconds: { name: 'db.client.operation.duration', unit: 's' },
  gen_ai_client_token_usage: { name: 'gen_ai.client.token.usage', unit: '{token}' },
}

/** The attribute of each label. */
export const semanticAttributes: Readonly<Record<string, string | undefined>> = {
  http_request_method: 'http.request.method',
  http_response_status_code: 'http.response.status_code',
  http_route: 'http.route',
  url_scheme: 'url.scheme',
  error_type: 'error.type',
  db_system_name: 'db.system.name',
  db_namespace: 'db.namespace',
  db_operation_name: 'db.operation.name',
  gen_ai_operation_name: 'gen_ai.operation.name',
  gen_ai_provider_name: 'gen_ai.provider.name',
  gen_ai_request_model: 'gen_ai.request.model',
  gen_ai_token_type: 'gen_ai.token.type',
}
