import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Metrics","description":"","frontmatter":{},"headers":[],"relativePath":"decisions/metrics.md","filePath":"decisions/metrics.md"}');
const _sfc_main = { name: "decisions/metrics.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="metrics" tabindex="-1">Metrics <a class="header-anchor" href="#metrics" aria-label="Permalink to &quot;Metrics&quot;">​</a></h1><p><strong>Context.</strong> Metrics are counted with prom-client, printed for Prometheus, and sent by OTLP through metric-reader.ts, which turns the registry of prom-client into the data points of the OpenTelemetry SDK (90 lines). One meter of OpenTelemetry with its exporter for Prometheus would need no such bridge, if the names, labels, exemplars and metrics of the process stayed the same.</p><p><strong>Comparison.</strong> <code>@opentelemetry/exporter-prometheus</code> 0.223.0, read in its source:</p><table tabindex="0"><thead><tr><th></th><th>prom-client</th><th>the exporter of OpenTelemetry</th></tr></thead><tbody><tr><td>exemplars</td><td>with each observation, printed in the format of OpenMetrics</td><td>none: the serializer does not print them</td></tr><tr><td>counters and units</td><td>names as declared</td><td><code># UNIT</code> lines, which the text format of Prometheus does not have</td></tr><tr><td>metrics of the process (<code>process_*</code>, <code>nodejs_*</code>)</td><td><code>collectDefaultMetrics</code></td><td>other names, from other packages</td></tr></tbody></table><p>Exemplars lead from a slow request in a dashboard to its trace (deploy/README.md).</p><p><strong>Decision.</strong> prom-client and the bridge stay until the exporter prints exemplars.</p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("decisions/metrics.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const metrics = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  metrics as default
};
