package metrics

import (
	"net/http"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"mallard/internal/profile"
)

// familyDescriptions are what a family's series say.
type familyDescriptions struct{ objects, bytes *prometheus.Desc }

func describe(of, label, help string) familyDescriptions {
	labels := []string{"program"}
	if label != "" {
		labels = append(labels, label)
	}
	return familyDescriptions{
		prometheus.NewDesc("mallard_"+of+"allocated_objects_total", "Objects allocated, arrays among them"+help, labels,
			nil),
		prometheus.NewDesc("mallard_"+of+"allocated_bytes_total", "Bytes allocated, headers included"+help, labels,
			nil),
	}
}

var (
	totals         = describe("", "", ".")
	byPackage      = describe("package_", "package", ", by the package of the class that allocates.")
	byClass        = describe("class_", "class", ", by the class of the object.")
	byTransaction  = describe("transaction_", "transaction", ", by the innermost transaction.")
	collectionsSum = prometheus.NewDesc("mallard_collections_total",
		"Garbage collections, as report --gc has rows.", []string{"program", "kind"}, nil)
	pauseSum = prometheus.NewDesc("mallard_collection_pause_seconds_total",
		"Seconds that collections stopped the program.", []string{"program", "kind"}, nil)
	lost = prometheus.NewDesc("mallard_losses",
		"What recordings lack, by kind; mallard info says more.", []string{"program", "kind"}, nil)
)

// Handler answers Prometheus.
func (m *Metrics) Handler() http.Handler {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collector{m})
	return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
}

// collector hands the counters over.
type collector struct{ metrics *Metrics }

// Describe describes nothing: which series there are is known when there are.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect gives all series.
func (c collector) Collect(out chan<- prometheus.Metric) {
	m := c.metrics
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, p := range m.programs {
		sum := p.total.series[""]
		emit(out, totals, sum, name)
		for _, f := range []struct {
			*family
			familyDescriptions
		}{{p.packages, byPackage}, {p.classes, byClass}, {p.transactions, byTransaction}} {
			for label, s := range f.series {
				if label != other || s.shown != (profile.Amount{}) {
					emit(out, f.familyDescriptions, s, name, label)
				}
			}
		}
		for kind, of := range p.collections {
			out <- prometheus.MustNewConstMetric(collectionsSum, prometheus.CounterValue, float64(of.count), name, kind)
			out <- prometheus.MustNewConstMetric(pauseSum, prometheus.CounterValue, of.paused.Seconds(), name, kind)
		}
		losses := map[string]uint64{}
		for _, of := range p.losses {
			for kind, n := range of {
				losses[kind] += n
			}
		}
		for kind, n := range losses {
			out <- prometheus.MustNewConstMetric(lost, prometheus.GaugeValue, float64(n), name, kind)
		}
	}
}

func emit(out chan<- prometheus.Metric, d familyDescriptions, s *series, labels ...string) {
	if s == nil {
		return
	}
	for i := range labels {
		labels[i] = strings.ToValidUTF8(labels[i], "\ufffd")
	}
	out <- prometheus.MustNewConstMetric(d.objects, prometheus.CounterValue, float64(s.shown.Objects), labels...)
	out <- prometheus.MustNewConstMetric(d.bytes, prometheus.CounterValue, float64(s.shown.Bytes), labels...)
}
