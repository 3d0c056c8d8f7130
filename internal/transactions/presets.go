package transactions

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"mallard/internal/classfile"
	"mallard/internal/instrument"
)

// A preset knows the methods of a framework that are transactions; nil for others.
type preset func(*method) *instrument.Naming

// presets, by what users write.
var presets = map[string]preset{
	"servlets": servlet,
	"jax-rs":   resource,
	"spring":   handler,
	"junit":    test,
	"main":     mainLoop,
}

// Presets lists them.
func Presets() []string { return slices.Sorted(maps.Keys(presets)) }

// servlet: by the verb and the path that led to the servlet, of HTTP requests. Containers call this method of it, which
// calls the others; a request that is forwarded is one inside the other.
func servlet(m *method) *instrument.Naming {
	for _, root := range [...]string{"javax/", "jakarta/"} {
		request, response := "L"+root+"servlet/ServletRequest;", "L"+root+"servlet/ServletResponse;"
		if m.owner == root+"servlet/http/HttpServlet" && m.name == "service" &&
			m.descriptor == "("+request+response+")V" {
			return m.byArgument(1, []string{"getMethod", "getServletPath"})
		}
	}
	return nil
}

// resource: methods that answer requests by JAX-RS, by the verb and the paths of class and method.
func resource(m *method) *instrument.Naming {
	for _, root := range [...]string{"javax", "jakarta"} {
		for _, verb := range verbs {
			if annotated(m.class.Pool, m.member.Attributes, "L"+root+"/ws/rs/"+verb+";") != nil {
				path := func(attributes []classfile.Attribute) string {
					return text(m.class.Pool, annotated(m.class.Pool, attributes, "L"+root+"/ws/rs/Path;"), "value")
				}
				return &instrument.Naming{Name: endpoint(verb, path(m.class.Attributes), path(m.member.Attributes))}
			}
		}
	}
	return nil
}

var verbs = [...]string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"}

// handler: methods that answer requests by Spring MVC, named alike.
func handler(m *method) *instrument.Naming {
	const mapping = "Lorg/springframework/web/bind/annotation/"
	pool := m.class.Pool
	path := func(a *classfile.Annotation) string { return cmp.Or(text(pool, a, "value"), text(pool, a, "path")) }
	of := annotated(pool, m.class.Attributes, mapping+"RequestMapping;")
	for verb, name := range map[string]string{"GET": "Get", "POST": "Post", "PUT": "Put", "DELETE": "Delete",
		"PATCH": "Patch"} {
		if a := annotated(pool, m.member.Attributes, mapping+name+"Mapping;"); a != nil {
			return &instrument.Naming{Name: endpoint(verb, path(of), path(a))}
		}
	}
	if a := annotated(pool, m.member.Attributes, mapping+"RequestMapping;"); a != nil {
		return &instrument.Naming{Name: endpoint(text(pool, a, "method"), path(of), path(a))}
	}
	return nil
}

// endpoint is "GET /orders/{id}".
func endpoint(verb string, paths ...string) string {
	name := ""
	for _, p := range paths {
		if p = strings.Trim(p, "/"); p != "" {
			name += "/" + p
		}
	}
	return strings.TrimSpace(verb + " " + cmp.Or(name, "/"))
}

// test: methods that JUnit 3 to 5 or TestNG runs.
func test(m *method) *instrument.Naming {
	b := &instrument.Naming{Name: m.shortTitle()}
	for _, a := range [...]string{"Lorg/junit/jupiter/api/Test;", "Lorg/junit/jupiter/api/RepeatedTest;",
		"Lorg/junit/jupiter/params/ParameterizedTest;", "Lorg/junit/Test;", "Lorg/testng/annotations/Test;"} {
		if annotated(m.class.Pool, m.member.Attributes, a) != nil {
			return b
		}
	}
	super, _ := m.class.SuperName()
	if super == "junit/framework/TestCase" && strings.HasPrefix(m.name, "test") && m.descriptor == "()V" {
		return b
	}
	return nil
}

// mainLoop: what loops of main methods do, each time round.
func mainLoop(m *method) *instrument.Naming {
	if m.name != "main" || m.descriptor != "([Ljava/lang/String;)V" ||
		m.member.AccessFlags&classfile.AccStatic == 0 {
		return nil
	}
	return &instrument.Naming{Name: m.shortTitle(), Loops: true}
}

// annotated gives an annotation of a class or a method, nil where it is not there.
func annotated(pool *classfile.Pool, attributes []classfile.Attribute, name string) *classfile.Annotation {
	a := pool.FindAttribute(attributes, classfile.AttrRuntimeVisibleAnnotations)
	if a == nil {
		return nil
	}
	decoded, err := classfile.DecodeInfo[classfile.Annotations](a.Info)
	if err != nil {
		return nil
	}
	for i := range decoded.Annotations {
		if is, _ := pool.Utf8(decoded.Annotations[i].Type); is == name {
			return &decoded.Annotations[i]
		}
	}
	return nil
}

// text gives an element of an annotation, the first where there are several: a string, or the name of a constant.
func text(pool *classfile.Pool, a *classfile.Annotation, element string) string {
	if a == nil {
		return ""
	}
	for _, e := range a.Elements {
		if name, _ := pool.Utf8(e.Name); name != element {
			continue
		}
		v := e.Value
		if v.Tag == '[' && len(v.Array) > 0 {
			v = v.Array[0]
		}
		if v.Tag == 's' || v.Tag == 'e' {
			s, _ := pool.Utf8(v.Value)
			return strings.Clone(s)
		}
	}
	return ""
}
