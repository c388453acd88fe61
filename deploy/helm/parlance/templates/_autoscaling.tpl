{{/* A HorizontalPodAutoscaler, or a ScaledObject of KEDA. */}}
{{- define "parlance.autoscaler" -}}
{{- $scaling := .service.autoscaling }}
{{- if $scaling.enabled }}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) }}
  {{- fail (printf "services.%s.autoscaling: minReplicas is %v, above maxReplicas, which is %v" .name $scaling.minReplicas $scaling.maxReplicas) }}
{{- end }}
{{- if and (eq $scaling.metric "usedCapacity") (not .facts.capacityMetric) }}
  {{- fail (printf "services.%s.autoscaling.metric: %s has no capacity that is counted; use cpu" .name .name) }}
{{- end }}
{{- $rules := .root.Values.metrics.rules }}
{{- if and (eq $scaling.metric "usedCapacity") (eq $scaling.provider "hpa") (not $rules.enabled) (not $rules.recordedElsewhere) }}
  {{- fail (printf "services.%s.autoscaling.metric: usedCapacity needs what the rules record: set metrics.rules.enabled, or metrics.rules.recordedElsewhere where other rules record it" .name) }}
{{- end }}
{{- if eq $scaling.provider "keda" }}
{{- include "parlance.scaledObject" . }}
{{- else }}
{{- include "parlance.horizontalPodAutoscaler" . }}
{{- end }}
{{- end }}
{{- end }}

{{- define "parlance.scaleTarget" -}}
apiVersion: apps/v1
kind: {{ ternary "StatefulSet" "Deployment" (not (empty (include "parlance.hasMediaBalancers" .))) }}
name: {{ include "parlance.name" . }}
{{- end }}

{{/* The metric that the recording rules make for each pod. */}}
{{- define "parlance.usedCapacity" -}}
parlance_{{ .name }}_used_capacity_ratio
{{- end }}

{{/* How fast an autoscaler acts, of the values of `autoscaling`. */}}
{{- define "parlance.scalingBehavior" -}}
{{- $down := dict "stabilizationWindowSeconds" .scaleDownDelaySeconds }}
{{- mustMergeOverwrite (dict "scaleDown" $down) (deepCopy .behavior) | toYaml }}
{{- end }}

{{- define "parlance.horizontalPodAutoscaler" -}}
{{- $scaling := .service.autoscaling }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
{{ include "parlance.metadata" . }}
spec:
  scaleTargetRef:
    {{- include "parlance.scaleTarget" . | nindent 4 }}
  minReplicas: {{ $scaling.minReplicas }}
  maxReplicas: {{ $scaling.maxReplicas }}
  behavior:
    {{- include "parlance.scalingBehavior" $scaling | nindent 4 }}
  metrics:
    {{- if eq $scaling.metric "cpu" }}
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ $scaling.targetPercent }} } }
    {{- else }}
    - type: Pods
      pods:
        metric: { name: {{ include "parlance.usedCapacity" . }} }
        target: { type: AverageValue, averageValue: {{ mul $scaling.targetPercent 10 }}m }
    {{- end }}
{{- end }}

{{- define "parlance.scaledObject" -}}
{{- $scaling := .service.autoscaling }}
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
{{ include "parlance.metadata" . }}
spec:
  scaleTargetRef:
    {{- include "parlance.scaleTarget" . | nindent 4 }}
  minReplicaCount: {{ $scaling.minReplicas }}
  maxReplicaCount: {{ $scaling.maxReplicas }}
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        {{- include "parlance.scalingBehavior" $scaling | nindent 8 }}
  triggers:
    {{- if eq $scaling.metric "cpu" }}
    - type: cpu
      metricType: Utilization
      metadata: { value: {{ $scaling.targetPercent | quote }} }
    {{- else }}
    - type: prometheus
      metadata:
        serverAddress: {{ $scaling.prometheusUrl }}
        query: sum({{ include "parlance.usedCapacityQuery" (dict "root" .root "facts" .facts) }})
        threshold: {{ divf $scaling.targetPercent 100 | quote }}
    {{- end }}
{{- end }}

{{/* For each pod, the used share of the engine that has the least left. */}}
{{- define "parlance.usedCapacityQuery" -}}
{{- $pods := printf "{namespace=%q,pod=~%q}" .root.Release.Namespace (printf "%s-.+" (include "parlance.fullname" .root)) -}}
max by (namespace, pod) ({{ .facts.activeMetric }}{{ $pods }} / ({{ .facts.capacityMetric }}{{ $pods }} > 0))
{{- end }}
